// Number.prototype.toLocaleString and BigInt.prototype.toLocaleString for en-US (https://tc39.es/ecma402/#sec-formatnumericstring).
(function (native, kit) {
  'use strict';

  const { checkLocales, decimal, floor, is, max, min, optionReader, RangeError, regexpExec, stringCharCodeAt, stringPadEnd, stringPadStart,
    stringSlice, stringToUpperCase, TypeError } = kit;

  // Unicode CLDR, en: symbols of currencies that have one beside their code.
  const SYMBOLS = { __proto__: null, AUD: 'A$', BRL: 'R$', CAD: 'CA$', CNY: 'CN¥', EUR: '€', GBP: '£', HKD: 'HK$', ILS: '₪', INR: '₹', JPY: '¥',
    KRW: '₩', MXN: 'MX$', NZD: 'NZ$', PHP: '₱', TWD: 'NT$', USD: '$', VND: '₫', XAF: 'FCFA', XCD: 'EC$', XCG: 'Cg.', XOF: 'F\u202fCFA', XPF: 'CFPF' };
  // CLDR, en: where `narrowSymbol` differs.
  const NARROW = { __proto__: null, AFN: '؋', AMD: '֏', AOA: 'Kz', ARS: '$', AUD: '$', AZN: '₼', BAM: 'KM', BBD: '$', BDT: '৳', BMD: '$', BND: '$',
    BOB: 'Bs', BSD: '$', BWP: 'P', BZD: '$', CAD: '$', CLP: '$', CNY: '¥', COP: '$', CRC: '₡', CUC: '$', CUP: '$', CZK: 'Kč', DKK: 'kr', DOP: '$',
    EGP: 'E£', FJD: '$', FKP: '£', GEL: '₾', GHS: 'GH₵', GIP: '£', GNF: 'FG', GTQ: 'Q', GYD: '$', HKD: '$', HNL: 'L', HRK: 'kn', HUF: 'Ft', IDR: 'Rp',
    ISK: 'kr', JMD: '$', KGS: '⃀', KHR: '៛', KMF: 'CF', KPW: '₩', KYD: '$', KZT: '₸', LAK: '₭', LBP: 'L£', LKR: 'Rs', LRD: '$', MGA: 'Ar', MMK: 'K',
    MNT: '₮', MUR: 'Rs', MXN: '$', MYR: 'RM', NAD: '$', NGN: '₦', NIO: 'C$', NOK: 'kr', NPR: 'Rs', NZD: '$', PKR: 'Rs', PLN: 'zł', PYG: '₲', RON: 'lei',
    RUB: '₽', RWF: 'RF', SBD: '$', SEK: 'kr', SGD: '$', SHP: '£', SRD: '$', SSP: '£', STN: 'Db', SYP: '£', THB: '฿', TOP: 'T$', TRY: '₺', TTD: '$',
    TWD: '$', UAH: '₴', UYU: '$', XCD: '$', ZAR: 'R', ZMW: 'ZK' };
  // CLDR: minor units in use, where they are not two.
  const DIGITS = { __proto__: null, AFN: 0, ALL: 0, BHD: 3, BIF: 0, CLF: 4, CLP: 0, COP: 0, DJF: 0, GNF: 0, HUF: 0, IDR: 0, IQD: 0,
    IRR: 0, ISK: 0, JOD: 3, JPY: 0, KMF: 0, KPW: 0, KRW: 0, KWD: 3, LAK: 0, LBP: 0, LYD: 3, MGA: 0, MMK: 0, OMR: 3, PKR: 0, PYG: 0,
    RWF: 0, SLL: 0, SOS: 0, SYP: 0, TND: 3, UGX: 0, UYI: 0, UYW: 4, VND: 0, VUV: 0, XAF: 0, XOF: 0, XPF: 0, YER: 0 };
  const SHORT = ['', 'K', 'M', 'B', 'T'];
  const LONG = ['', ' thousand', ' million', ' billion', ' trillion'];
  const MODES = ['ceil', 'floor', 'expand', 'trunc', 'halfCeil', 'halfFloor', 'halfExpand', 'halfTrunc', 'halfEven'];
  const currencyCode = /^[A-Za-z]{3}$/;
  const endsInLetter = /\p{L}$/u;

  // https://tc39.es/ecma402/#sec-setnumberformatdigitoptions
  const readDigits = (options, leastFraction, mostFraction, isCompact) => {
    const minimumIntegerDigits = options.integer('minimumIntegerDigits', 1, 21, 1);
    const minimum = options.integer('minimumFractionDigits', 0, 100, undefined);
    const maximum = options.integer('maximumFractionDigits', 0, 100, undefined);
    const minimumSignificant = options.integer('minimumSignificantDigits', 1, 21, undefined);
    const maximumSignificant = options.integer('maximumSignificantDigits', minimumSignificant ?? 1, 21, undefined);
    const digits = { __proto__: null, minimumIntegerDigits, significant: false, isRough: false };
    if (minimumSignificant !== undefined || maximumSignificant !== undefined) {
      digits.significant = true;
      digits.least = minimumSignificant ?? 1;
      digits.most = maximumSignificant ?? 21;
      return digits;
    }
    if (isCompact && minimum === undefined && maximum === undefined) {
      digits.isRough = true; // two significant digits, or all of the integer part
      return digits;
    }
    if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
      throw new RangeError(`maximumFractionDigits must be from ${minimum} to 100, not ${maximum}`);
    }
    digits.least = minimum ?? min(leastFraction, maximum ?? leastFraction);
    digits.most = maximum ?? max(mostFraction, digits.least);
    return digits;
  };

  const readCurrency = (options, style) => {
    const value = options.read('currency');
    if (value !== undefined && !regexpExec(currencyCode, `${value}`)) throw new RangeError(`currency must be a code of three letters, not "${value}"`);
    const display = options.text('currencyDisplay', ['code', 'symbol', 'narrowSymbol'], 'symbol', style === 'currency' ? ['name'] : undefined);
    const sign = options.text('currencySign', ['standard', 'accounting'], 'standard');
    if (style !== 'currency') return undefined;
    if (value === undefined) throw new TypeError('style "currency" needs the option currency');
    const code = stringToUpperCase(`${value}`);
    const symbol = display === 'code' ? code : (display === 'narrowSymbol' && NARROW[code]) || SYMBOLS[code] || code;
    return { __proto__: null, symbol, digits: DIGITS[code] ?? 2, isAccounting: sign === 'accounting' };
  };

  const readGrouping = (options, isCompact) => {
    const value = options.read('useGrouping');
    const fallback = isCompact ? 'min2' : 'auto';
    if (value === undefined || value === 'true' || value === 'false') return fallback;
    if (value === true) return 'always';
    if (!value) return 'never';
    return options.text('useGrouping', ['min2', 'auto', 'always'], fallback);
  };

  const readFormat = (raw) => {
    const options = optionReader(raw);
    options.only('numberingSystem', ['latn']);
    const style = options.text('style', ['decimal', 'percent', 'currency'], 'decimal', ['unit']);
    const currency = readCurrency(options, style);
    const isCompact = options.text('notation', ['standard', 'compact'], 'standard', ['scientific', 'engineering']) === 'compact';
    const digits = readDigits(options, currency ? currency.digits : 0, currency ? currency.digits : style === 'percent' ? 0 : 3, isCompact);
    options.only('roundingIncrement', ['1']);
    options.only('roundingPriority', ['auto']);
    const mode = options.text('roundingMode', MODES, 'halfExpand');
    const stripsZeros = options.text('trailingZeroDisplay', ['auto', 'stripIfInteger'], 'auto') === 'stripIfInteger';
    const isLong = options.text('compactDisplay', ['short', 'long'], 'short') === 'long';
    const grouping = readGrouping(options, isCompact);
    const sign = options.text('signDisplay', ['auto', 'never', 'always', 'exceptZero', 'negative'], 'auto');
    return { __proto__: null, isPercent: style === 'percent', currency, isCompact, isLong, digits, mode, stripsZeros, grouping, sign };
  };

  const plain = readFormat(undefined);

  const group = (integer, grouping) => {
    const least = grouping === 'min2' ? 5 : 4;
    if (grouping === 'never' || integer.length < least) return integer;
    let text = stringSlice(integer, 0, ((integer.length - 1) % 3) + 1);
    for (let i = text.length; i < integer.length; i += 3) text += `,${stringSlice(integer, i, i + 3)}`;
    return text;
  };

  const roundTo = (number, format, negative) => {
    const { digits, mode } = format;
    const keep = digits.isRough ? max(2, number.point) : digits.significant ? digits.most : number.point + digits.most;
    return decimal.round(number, keep, mode, negative);
  };

  const write = (number, format) => {
    const { digits } = format;
    const integer = stringPadStart(decimal.integerPart(number), digits.minimumIntegerDigits, '0');
    let fraction = decimal.fractionPart(number);
    if (digits.significant) {
      // zeros before the first digit of a fraction are not significant, the zero of 0 itself is
      const written = number.digits === '' ? 1 : max(number.point, 0);
      const leading = number.point < 0 ? -number.point : 0;
      fraction = stringPadEnd(fraction, digits.least - written + leading, '0');
    } else if (!digits.isRough) {
      fraction = stringPadEnd(fraction, digits.least, '0');
    }
    if (format.stripsZeros && number.digits.length <= number.point) fraction = '';
    return group(integer, format.grouping) + (fraction === '' ? '' : `.${fraction}`);
  };

  // The power of a thousand that stands behind a compact number.
  const compactStep = (number) => (number.digits === '' ? 0 : min(max(floor((number.point - 1) / 3), 0), SHORT.length - 1));

  const shifted = (number, places) => (number.digits === '' ? number : { __proto__: null, digits: number.digits, point: number.point + places });

  const body = (number, format, negative) => {
    if (format.isPercent) number = shifted(number, 2);
    if (!format.isCompact) {
      const rounded = roundTo(number, format, negative);
      return { __proto__: null, text: write(rounded, format), isZero: rounded.digits === '' };
    }
    let step = compactStep(number);
    let rounded = roundTo(shifted(number, -3 * step), format, negative);
    if (compactStep(shifted(rounded, 3 * step)) > step) {
      step++;
      rounded = roundTo(shifted(number, -3 * step), format, negative);
    }
    return { __proto__: null, text: write(rounded, format) + (format.isLong ? LONG : SHORT)[step], isZero: rounded.digits === '' };
  };

  const signOf = (display, negative, isZero) => {
    if (display === 'never') return '';
    if (negative) return isZero && (display === 'negative' || display === 'exceptZero') ? '' : '-';
    return display === 'always' || (display === 'exceptZero' && !isZero) ? '+' : '';
  };

  const decorate = (text, sign, format) => {
    const { currency } = format;
    if (format.isPercent) text += '%';
    if (!currency) return sign + text;
    const unit = stringCharCodeAt(text, 0);
    const apart = unit >= 48 && unit <= 57 && regexpExec(endsInLetter, currency.symbol) ? '\u00a0' : '';
    text = currency.symbol + apart + text;
    return sign === '-' && currency.isAccounting ? `(${text})` : sign + text;
  };

  // `value`: a Number or a BigInt.
  const formatNumber = (value, options) => {
    const format = options === undefined ? plain : readFormat(options);
    const negative = value < 0 || is(value, -0);
    if (typeof value === 'number' && value !== value) return decorate('NaN', signOf(format.sign, false, format.sign === 'exceptZero'), format);
    if (value === Infinity || value === -Infinity) return decorate('∞', signOf(format.sign, negative, false), format);
    const magnitude = negative ? -value : value;
    const { text, isZero } = body(decimal.parse(`${magnitude}`), format, negative);
    return decorate(text, signOf(format.sign, negative, isZero), format);
  };

  const methods = {
    number: {
      toLocaleString(locales = undefined, options = undefined) {
        const value = kit.numberValueOf(this);
        checkLocales(locales, options?.style === 'currency' ? 'currency' : 'number');
        return formatNumber(value, options);
      },
    },
    bigint: {
      toLocaleString(locales = undefined, options = undefined) {
        const value = kit.bigintValueOf(this);
        checkLocales(locales, options?.style === 'currency' ? 'currency' : 'number');
        return formatNumber(value, options);
      },
    },
  };
  kit.define(Number.prototype, 'toLocaleString', methods.number.toLocaleString);
  kit.define(BigInt.prototype, 'toLocaleString', methods.bigint.toLocaleString);
});
