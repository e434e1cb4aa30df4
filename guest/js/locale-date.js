// Date.prototype.toLocaleString, toLocaleDateString and toLocaleTimeString for en-US and UTC (https://tc39.es/ecma402/#sec-todatetimeoptions).
(function (native, kit) {
  'use strict';

  const { checkLocales, optionReader, RangeError, stringPadStart, stringSlice, stringToLowerCase, TypeError } = kit;

  const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
  const ZONES = { __proto__: null, utc: true, gmt: true, 'etc/utc': true, 'etc/gmt': true, uct: true, 'etc/uct': true, zulu: true, 'etc/zulu': true, universal: true, 'etc/universal': true };
  const WORDS = ['narrow', 'short', 'long'];
  const NUMBERS = ['2-digit', 'numeric'];
  const STYLES = ['full', 'long', 'medium', 'short'];

  const DATE_STYLES = {
    __proto__: null,
    full: { __proto__: null, weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
    long: { __proto__: null, month: 'long', day: 'numeric', year: 'numeric' },
    medium: { __proto__: null, month: 'short', day: 'numeric', year: 'numeric' },
    short: { __proto__: null, month: 'numeric', day: 'numeric', year: '2-digit' },
  };
  const TIME_STYLES = {
    __proto__: null,
    full: { __proto__: null, hour: 'numeric', minute: 'numeric', second: 'numeric', timeZoneName: 'long' },
    long: { __proto__: null, hour: 'numeric', minute: 'numeric', second: 'numeric', timeZoneName: 'short' },
    medium: { __proto__: null, hour: 'numeric', minute: 'numeric', second: 'numeric' },
    short: { __proto__: null, hour: 'numeric', minute: 'numeric' },
  };
  const COMPONENTS = ['weekday', 'year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalSecondDigits', 'timeZoneName'];

  const readHourCycle = (options) => {
    const hour12 = options.read('hour12');
    const cycle = options.text('hourCycle', ['h11', 'h12', 'h23', 'h24'], undefined);
    if (hour12 === undefined) return cycle ?? 'h12';
    return hour12 ? 'h12' : 'h24'; // midnight is 24, as ICU's en-US has it
  };

  const checkZone = (options) => {
    const zone = options.read('timeZone');
    if (zone !== undefined && !ZONES[stringToLowerCase(`${zone}`)]) {
      throw new RangeError(`timeZone "${zone}" is not available here: the realm knows UTC only`);
    }
  };

  const refuse = (options, name) => {
    if (options.read(name) !== undefined) throw new RangeError(`the option ${name} is not available here`);
  };

  // What to write: a style or component each for the date and the time. `required` and `defaults`: "date", "time", "any", "all".
  const readFormat = (raw, required, defaults) => {
    const options = optionReader(raw);
    options.only('calendar', ['gregory']);
    options.only('numberingSystem', ['latn']);
    const format = { __proto__: null, hourCycle: readHourCycle(options) };
    checkZone(options);
    format.weekday = options.text('weekday', WORDS, undefined);
    refuse(options, 'era');
    format.year = options.text('year', NUMBERS, undefined);
    format.month = options.text('month', ['2-digit', 'numeric', 'narrow', 'short', 'long'], undefined);
    format.day = options.text('day', NUMBERS, undefined);
    refuse(options, 'dayPeriod');
    format.hour = options.text('hour', NUMBERS, undefined);
    format.minute = options.text('minute', NUMBERS, undefined);
    format.second = options.text('second', NUMBERS, undefined);
    format.fractionalSecondDigits = options.integer('fractionalSecondDigits', 1, 3, undefined);
    format.timeZoneName = options.text('timeZoneName', ['short', 'long'], undefined, ['shortOffset', 'longOffset', 'shortGeneric', 'longGeneric']);
    const dateStyle = options.text('dateStyle', STYLES, undefined);
    const timeStyle = options.text('timeStyle', STYLES, undefined);
    if (dateStyle === undefined && timeStyle === undefined) return withDefaults(format, required, defaults);
    for (let i = 0; i < COMPONENTS.length; i++) {
      if (format[COMPONENTS[i]] !== undefined) throw new TypeError(`${COMPONENTS[i]} and ${dateStyle ? 'dateStyle' : 'timeStyle'} cannot be used together`);
    }
    if (required === 'date' && timeStyle !== undefined) throw new TypeError('timeStyle cannot be used with toLocaleDateString');
    if (required === 'time' && dateStyle !== undefined) throw new TypeError('dateStyle cannot be used with toLocaleTimeString');
    return { ...DATE_STYLES[dateStyle], ...TIME_STYLES[timeStyle], __proto__: null, hourCycle: format.hourCycle };
  };

  const withDefaults = (format, required, defaults) => {
    const hasDate = format.weekday ?? format.year ?? format.month ?? format.day;
    const hasTime = format.hour ?? format.minute ?? format.second ?? format.fractionalSecondDigits;
    if ((required !== 'time' && hasDate !== undefined) || (required !== 'date' && hasTime !== undefined)) return format;
    if (defaults !== 'time') format.year = format.month = format.day = 'numeric';
    if (defaults !== 'date') format.hour = format.minute = format.second = 'numeric';
    return format;
  };

  const number = (value, style) => (style === '2-digit' ? stringPadStart(`${value % 100}`, 2, '0') : `${value}`);

  const word = (name, style) => (style === 'long' ? name : stringSlice(name, 0, style === 'short' ? 3 : 1));

  const unsupported = (what) => new RangeError(`this combination of options is not available here: ${what}`);

  const writeDate = (date, format) => {
    const { weekday, year, month, day } = format;
    const years = kit.dateGetUTCFullYear(date);
    const yearText = year && number(years > 0 ? years : 1 - years, year);
    const dayText = day && number(kit.dateGetUTCDate(date), day);
    const weekdayText = weekday && word(WEEKDAYS[kit.dateGetUTCDay(date)], weekday);
    if (!month) {
      if (year && (day || weekday)) throw unsupported('year with day or weekday needs month');
      return yearText ?? (day && weekday ? `${dayText} ${weekdayText}` : (dayText ?? weekdayText));
    }
    if (weekday && !day) throw unsupported('weekday with month needs day');
    const months = kit.dateGetUTCMonth(date);
    const before = weekday ? `${weekdayText}, ` : '';
    if (month === 'numeric' || month === '2-digit') {
      return before + number(months + 1, month) + (day ? `/${dayText}` : '') + (year ? `/${yearText}` : '');
    }
    const monthText = word(MONTHS[months], month);
    return before + monthText + (day ? ` ${dayText}` : '') + (year ? (day ? `, ${yearText}` : ` ${yearText}`) : '');
  };

  const hourNumber = (hours, cycle) => {
    if (cycle === 'h23') return hours;
    if (cycle === 'h24') return hours === 0 ? 24 : hours;
    if (cycle === 'h11') return hours % 12;
    return hours % 12 === 0 ? 12 : hours % 12;
  };

  const two = (value) => stringPadStart(`${value}`, 2, '0');

  const writeSeconds = (date, format) => {
    const { fractionalSecondDigits: places } = format;
    const fraction = places && stringSlice(stringPadStart(`${kit.dateGetUTCMilliseconds(date)}`, 3, '0'), 0, places);
    const seconds = kit.dateGetUTCSeconds(date);
    if (!format.second) return fraction;
    const padded = format.minute || format.hour ? two(seconds) : `${seconds}`;
    return fraction ? `${padded}.${fraction}` : padded;
  };

  const writeTime = (date, format) => {
    const { hour, minute, second, fractionalSecondDigits, hourCycle } = format;
    const hasSeconds = second !== undefined || fractionalSecondDigits !== undefined;
    if (fractionalSecondDigits !== undefined && !second && (hour || minute)) throw unsupported('fractionalSecondDigits needs second');
    if (hour && hasSeconds && !minute) throw unsupported('hour with second needs minute');
    const minutes = kit.dateGetUTCMinutes(date);
    if (!hour) {
      if (!minute) return writeSeconds(date, format);
      return hasSeconds ? `${two(minutes)}:${writeSeconds(date, format)}` : `${minutes}`;
    }
    const hours = kit.dateGetUTCHours(date);
    const isHalfDay = hourCycle === 'h11' || hourCycle === 'h12';
    const shown = hourNumber(hours, hourCycle);
    let text = isHalfDay && hour !== '2-digit' ? `${shown}` : two(shown);
    if (minute) text += `:${two(minutes)}`;
    if (hasSeconds) text += `:${writeSeconds(date, format)}`;
    return isHalfDay ? `${text} ${hours < 12 ? 'AM' : 'PM'}` : text;
  };

  const glue = (format) => {
    if (format.month === 'long') return ' at ';
    const hasTime = format.hour || format.minute || format.second;
    return format.weekday && !format.day && hasTime ? ' ' : ', ';
  };

  const formatDate = (date, options, required, defaults) => {
    const time = kit.dateGetTime(date);
    const format = readFormat(options, required, defaults);
    if (time !== time) return 'Invalid Date';
    const day = writeDate(date, format);
    let clock = writeTime(date, format);
    if (format.timeZoneName) {
      const zone = format.timeZoneName === 'short' ? 'UTC' : 'Coordinated Universal Time';
      clock = clock === undefined ? zone : `${clock} ${zone}`;
    }
    if (day === undefined) return clock;
    return clock === undefined ? day : day + glue(format) + clock;
  };

  const methods = {
    toLocaleString(locales = undefined, options = undefined) {
      kit.dateGetTime(this);
      checkLocales(locales, 'date');
      return formatDate(this, options, 'any', 'all');
    },
    toLocaleDateString(locales = undefined, options = undefined) {
      kit.dateGetTime(this);
      checkLocales(locales, 'date');
      return formatDate(this, options, 'date', 'date');
    },
    toLocaleTimeString(locales = undefined, options = undefined) {
      kit.dateGetTime(this);
      checkLocales(locales, 'date');
      return formatDate(this, options, 'time', 'time');
    },
  };
  const names = kit.ownKeys(methods);
  for (let i = 0; i < names.length; i++) kit.define(Date.prototype, names[i], methods[names[i]]);
});
