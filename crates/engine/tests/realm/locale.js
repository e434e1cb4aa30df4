// toLocaleString and its kin for en-US and UTC. The expected texts are ICU's, as Node gives them.
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${JSON.stringify(got)} in place of ${JSON.stringify(expected)}`);
};
const errorOf = (run) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return new Error('nothing thrown');
};

for (const [value, options, expected] of [
  [0, undefined, '0'],
  [-0, undefined, '-0'],
  [1, undefined, '1'],
  [1234.5, undefined, '1,234.5'],
  [-1234.5675, undefined, '-1,234.568'],
  [0.0005, undefined, '0.001'],
  [1.005, undefined, '1.005'],
  [123456789.123, undefined, '123,456,789.123'],
  [1e21, undefined, '1,000,000,000,000,000,000,000'],
  [5e-324, undefined, '0'],
  [NaN, undefined, 'NaN'],
  [-Infinity, undefined, '-∞'],
  [999999.9999, undefined, '1,000,000'],
  [12n, undefined, '12'],
  [-12345678901234567890n, undefined, '-12,345,678,901,234,567,890'],
  [0, { style: 'currency', currency: 'USD' }, '$0.00'],
  [1234.5, { style: 'currency', currency: 'USD' }, '$1,234.50'],
  [-0.005, { style: 'currency', currency: 'USD' }, '-$0.01'],
  [1e6, { style: 'currency', currency: 'USD' }, '$1,000,000.00'],
  [NaN, { style: 'currency', currency: 'USD' }, '$NaN'],
  [1234.567, { style: 'currency', currency: 'EUR' }, '€1,234.57'],
  [-3.5, { style: 'currency', currency: 'GBP' }, '-£3.50'],
  [1234.5, { style: 'currency', currency: 'JPY' }, '¥1,235'],
  [-12, { style: 'currency', currency: 'CHF' }, '-CHF\u00a012.00'],
  [1, { style: 'currency', currency: 'BHD' }, 'BHD\u00a01.000'],
  [1, { style: 'currency', currency: 'XYZ' }, 'XYZ\u00a01.00'],
  [123456789, { style: 'currency', currency: 'inr' }, '₹123,456,789.00'],
  [5, { style: 'currency', currency: 'USD', minimumFractionDigits: 0 }, '$5'],
  [5.5, { style: 'currency', currency: 'USD', minimumFractionDigits: 0 }, '$5.5'],
  [5.125, { style: 'currency', currency: 'USD', minimumFractionDigits: 0 }, '$5.13'],
  [1234.5, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }, '$1,235'],
  [1233.5, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }, '$1,234'],
  [-5, { style: 'currency', currency: 'USD', currencyDisplay: 'code' }, '-USD\u00a05.00'],
  [5, { style: 'currency', currency: 'CAD', currencyDisplay: 'narrowSymbol' }, '$5.00'],
  [-5, { style: 'currency', currency: 'USD', currencySign: 'accounting' }, '($5.00)'],
  [5, { style: 'currency', currency: 'USD', currencySign: 'accounting' }, '$5.00'],
  [5, { style: 'currency', currency: 'USD', signDisplay: 'always' }, '+$5.00'],
  [0.256, { style: 'percent' }, '26%'],
  [-1, { style: 'percent' }, '-100%'],
  [12.345, { style: 'percent' }, '1,235%'],
  [0.2565, { style: 'percent', minimumFractionDigits: 1 }, '25.7%'],
  [1, { style: 'percent', minimumFractionDigits: 1 }, '100.0%'],
  [0.123456, { style: 'percent', maximumFractionDigits: 2 }, '12.35%'],
  [1, { minimumFractionDigits: 2 }, '1.00'],
  [1.234, { minimumFractionDigits: 2 }, '1.234'],
  [1.23456, { minimumFractionDigits: 2 }, '1.235'],
  [0.5, { maximumFractionDigits: 0 }, '1'],
  [1.5, { maximumFractionDigits: 0 }, '2'],
  [2.5, { maximumFractionDigits: 0 }, '3'],
  [-2.5, { maximumFractionDigits: 0 }, '-3'],
  [2.345, { minimumFractionDigits: 2, maximumFractionDigits: 2 }, '2.35'],
  [1e3, { minimumFractionDigits: 2, maximumFractionDigits: 2 }, '1,000.00'],
  [0.1, { maximumFractionDigits: 20 }, '0.1'],
  [5, { minimumIntegerDigits: 2 }, '05'],
  [123, { minimumIntegerDigits: 2 }, '123'],
  [123456, { maximumSignificantDigits: 3 }, '123,000'],
  [0.00123456, { maximumSignificantDigits: 3 }, '0.00123'],
  [9.999, { maximumSignificantDigits: 3 }, '10'],
  [0, { maximumSignificantDigits: 3 }, '0'],
  [1.2, { minimumSignificantDigits: 5 }, '1.2000'],
  [0.001, { minimumSignificantDigits: 5 }, '0.0010000'],
  [1234567.5, { useGrouping: false }, '1234567.5'],
  [1234, { useGrouping: 'min2' }, '1234'],
  [12345, { useGrouping: 'min2' }, '12,345'],
  [5, { signDisplay: 'always' }, '+5'],
  [0, { signDisplay: 'always' }, '+0'],
  [-0, { signDisplay: 'always' }, '-0'],
  [0, { signDisplay: 'exceptZero' }, '0'],
  [5, { signDisplay: 'exceptZero' }, '+5'],
  [-5, { signDisplay: 'exceptZero' }, '-5'],
  [-5, { signDisplay: 'never' }, '5'],
  [0, { notation: 'compact' }, '0'],
  [999, { notation: 'compact' }, '999'],
  [999.9, { notation: 'compact' }, '1K'],
  [1234, { notation: 'compact' }, '1.2K'],
  [12345, { notation: 'compact' }, '12K'],
  [999999, { notation: 'compact' }, '1M'],
  [1.5e6, { notation: 'compact' }, '1.5M'],
  [-1.25e9, { notation: 'compact' }, '-1.3B'],
  [1e15, { notation: 'compact' }, '1000T'],
  [0.1234, { notation: 'compact' }, '0.12'],
  [1234, { notation: 'compact', compactDisplay: 'long' }, '1.2 thousand'],
  [5.67e6, { notation: 'compact', compactDisplay: 'long' }, '5.7 million'],
  [1e9, { notation: 'compact', compactDisplay: 'long' }, '1 billion'],
  [1234567, { notation: 'compact', maximumFractionDigits: 2 }, '1.23M'],
  [1234567, { notation: 'compact', style: 'currency', currency: 'USD' }, '$1.2M'],
  [1.29, { roundingMode: 'floor', maximumFractionDigits: 1 }, '1.2'],
  [-1.21, { roundingMode: 'floor', maximumFractionDigits: 1 }, '-1.3'],
  [0.5, { roundingMode: 'halfEven', maximumFractionDigits: 0 }, '0'],
  [1.5, { roundingMode: 'halfEven', maximumFractionDigits: 0 }, '2'],
  [2.5, { roundingMode: 'halfEven', maximumFractionDigits: 0 }, '2'],
  [5, { trailingZeroDisplay: 'stripIfInteger', minimumFractionDigits: 2 }, '5'],
  [5.5, { trailingZeroDisplay: 'stripIfInteger', minimumFractionDigits: 2 }, '5.50'],
  [1.5, {}, '1.5'],
]) {
  is(value.toLocaleString('en-US', options), expected, `${value} ${JSON.stringify(options)}`);
}

for (const [method, options, ...expected] of [
  ['toLocaleString', undefined, '1/2/2020, 3:04:05 AM', '11/22/2024, 3:45:06 PM'],
  ['toLocaleDateString', undefined, '1/2/2020', '11/22/2024'],
  ['toLocaleTimeString', undefined, '3:04:05 AM', '3:45:06 PM'],
  ['toLocaleString', { dateStyle: 'full', timeStyle: 'full' }, 'Thursday, January 2, 2020 at 3:04:05 AM Coordinated Universal Time', 'Friday, November 22, 2024 at 3:45:06 PM Coordinated Universal Time'],
  ['toLocaleDateString', { dateStyle: 'full' }, 'Thursday, January 2, 2020', 'Friday, November 22, 2024'],
  ['toLocaleTimeString', { timeStyle: 'full' }, '3:04:05 AM Coordinated Universal Time', '3:45:06 PM Coordinated Universal Time'],
  ['toLocaleString', { dateStyle: 'long', timeStyle: 'long' }, 'January 2, 2020 at 3:04:05 AM UTC', 'November 22, 2024 at 3:45:06 PM UTC'],
  ['toLocaleDateString', { dateStyle: 'long' }, 'January 2, 2020', 'November 22, 2024'],
  ['toLocaleTimeString', { timeStyle: 'long' }, '3:04:05 AM UTC', '3:45:06 PM UTC'],
  ['toLocaleString', { dateStyle: 'medium', timeStyle: 'medium' }, 'Jan 2, 2020, 3:04:05 AM', 'Nov 22, 2024, 3:45:06 PM'],
  ['toLocaleDateString', { dateStyle: 'medium' }, 'Jan 2, 2020', 'Nov 22, 2024'],
  ['toLocaleTimeString', { timeStyle: 'medium' }, '3:04:05 AM', '3:45:06 PM'],
  ['toLocaleString', { dateStyle: 'short', timeStyle: 'short' }, '1/2/20, 3:04 AM', '11/22/24, 3:45 PM'],
  ['toLocaleDateString', { dateStyle: 'short' }, '1/2/20', '11/22/24'],
  ['toLocaleTimeString', { timeStyle: 'short' }, '3:04 AM', '3:45 PM'],
  ['toLocaleString', { dateStyle: 'long', timeStyle: 'short' }, 'January 2, 2020 at 3:04 AM', 'November 22, 2024 at 3:45 PM'],
  ['toLocaleString', { weekday: 'long' }, 'Thursday', 'Friday'],
  ['toLocaleString', { weekday: 'short', day: 'numeric' }, '2 Thu', '22 Fri'],
  ['toLocaleString', { weekday: 'narrow' }, 'T', 'F'],
  ['toLocaleString', { year: 'numeric' }, '2020', '2024'],
  ['toLocaleString', { year: '2-digit' }, '20', '24'],
  ['toLocaleString', { month: 'long' }, 'January', 'November'],
  ['toLocaleString', { month: 'short' }, 'Jan', 'Nov'],
  ['toLocaleString', { month: 'narrow' }, 'J', 'N'],
  ['toLocaleString', { month: '2-digit' }, '01', '11'],
  ['toLocaleString', { day: '2-digit' }, '02', '22'],
  ['toLocaleString', { month: 'long', year: 'numeric' }, 'January 2020', 'November 2024'],
  ['toLocaleString', { month: 'short', day: 'numeric' }, 'Jan 2', 'Nov 22'],
  ['toLocaleString', { month: 'numeric', day: 'numeric' }, '1/2', '11/22'],
  ['toLocaleString', { year: 'numeric', month: '2-digit', day: '2-digit' }, '01/02/2020', '11/22/2024'],
  ['toLocaleString', { year: 'numeric', month: 'short', day: 'numeric' }, 'Jan 2, 2020', 'Nov 22, 2024'],
  ['toLocaleString', { year: 'numeric', month: 'long', day: 'numeric' }, 'January 2, 2020', 'November 22, 2024'],
  ['toLocaleString', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }, 'Thursday, January 2, 2020', 'Friday, November 22, 2024'],
  ['toLocaleString', { weekday: 'short', month: 'short', day: 'numeric' }, 'Thu, Jan 2', 'Fri, Nov 22'],
  ['toLocaleString', { weekday: 'short', year: '2-digit', month: 'numeric', day: 'numeric' }, 'Thu, 1/2/20', 'Fri, 11/22/24'],
  ['toLocaleString', { hour: 'numeric' }, '3 AM', '3 PM'],
  ['toLocaleString', { hour: '2-digit', minute: '2-digit' }, '03:04 AM', '03:45 PM'],
  ['toLocaleString', { hour: 'numeric', minute: '2-digit', hour12: false }, '03:04', '15:45'],
  ['toLocaleString', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, '03:04:05', '15:45:06'],
  ['toLocaleString', { hour12: false }, '1/2/2020, 03:04:05', '11/22/2024, 15:45:06'],
  ['toLocaleString', { hour12: true }, '1/2/2020, 3:04:05 AM', '11/22/2024, 3:45:06 PM'],
  ['toLocaleString', { minute: '2-digit', second: '2-digit' }, '04:05', '45:06'],
  ['toLocaleString', { second: 'numeric' }, '5', '6'],
  ['toLocaleString', { minute: 'numeric' }, '4', '45'],
  ['toLocaleString', { fractionalSecondDigits: 3, second: 'numeric' }, '5.067', '6.000'],
  ['toLocaleString', { timeZoneName: 'short' }, '1/2/2020, 3:04:05 AM UTC', '11/22/2024, 3:45:06 PM UTC'],
  ['toLocaleString', { timeZoneName: 'long', hour: 'numeric' }, '3 AM Coordinated Universal Time', '3 PM Coordinated Universal Time'],
  ['toLocaleString', { weekday: 'long', hour: 'numeric' }, 'Thursday 3 AM', 'Friday 3 PM'],
  ['toLocaleString', { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' }, 'January 2 at 3:04 AM', 'November 22 at 3:45 PM'],
  ['toLocaleString', { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone: 'UTC' }, 'Jan 2, 2020, 3:04 AM UTC', 'Nov 22, 2024, 3:45 PM UTC'],
  ['toLocaleString', { dateStyle: 'short', timeStyle: 'short', hour12: false }, '1/2/20, 03:04', '11/22/24, 15:45'],
  ['toLocaleString', { timeZone: 'Etc/UTC' }, '1/2/2020, 3:04:05 AM', '11/22/2024, 3:45:06 PM'],
  ['toLocaleDateString', { month: 'long', day: 'numeric' }, 'January 2', 'November 22'],
  ['toLocaleDateString', { hour: 'numeric' }, '1/2/2020, 3 AM', '11/22/2024, 3 PM'],
  ['toLocaleTimeString', { hour: '2-digit', minute: '2-digit' }, '03:04 AM', '03:45 PM'],
  ['toLocaleTimeString', { weekday: 'short' }, 'Thu 3:04:05 AM', 'Fri 3:45:06 PM'],
  ['toLocaleTimeString', { timeZoneName: 'short' }, '3:04:05 AM UTC', '3:45:06 PM UTC'],
]) {
  ['2020-01-02T03:04:05.067Z', '2024-11-22T15:45:06Z'].forEach((time, i) => {
    is(new Date(time)[method]('en-US', options), expected[i], `${time} ${method} ${JSON.stringify(options)}`);
  });
}
is(new Date(NaN).toLocaleString(), 'Invalid Date', 'an invalid date');
is(new Date(0).toLocaleTimeString('en-US', { hour12: false }), '24:00:00', 'midnight of 24 hours');
is(new Date(0).toLocaleTimeString('en-US', { hourCycle: 'h23' }), '00:00:00', 'midnight of h23');
is(new Date(0).toLocaleTimeString('en-US', { hourCycle: 'h11' }), '0:00:00 AM', 'midnight of h11');
is(new Date(-8.64e15).toLocaleString(), '4/20/271822, 12:00:00 AM', 'the first date');
is(new Date(8.64e15).toLocaleString(), '9/13/275760, 12:00:00 AM', 'the last date');
is([1234.5, new Date(0), [1e6], null, undefined, 'x'].toLocaleString(), '1,234.5,1/1/1970, 12:00:00 AM,1,000,000,,,x', 'an array');
is([1, 2].toLocaleString('en-US', { style: 'currency', currency: 'USD' }), '$1.00,$2.00', 'an array hands on the options');
is(new Float64Array([1e6, 2]).toLocaleString('en-US', { minimumFractionDigits: 1 }), '1,000,000.0,2.0', 'a typed array');
const ring = [1];
ring.push(ring);
is(ring.toLocaleString(), '1,', 'an array in itself');
is(Array.prototype.toLocaleString.call({ length: 2, 0: 1000, 1: 2 }), '1,000,2', 'what is like an array');

// Locales.
for (const locales of [undefined, [], 'en', 'en-US', 'EN-us', 'default', ['de-DE', 'en-US'], {}]) {
  is((1234.5).toLocaleString(locales), '1,234.5', `a number for ${locales}`);
  is(new Date(0).toLocaleDateString(locales), '1/1/1970', `a date for ${locales}`);
}
for (const locales of ['en-GB', 'en-AU', 'en-CA', 'en-IE', 'en-NZ', 'en-SG', 'en-HK']) {
  is((1234.5).toLocaleString(locales), '1,234.5', `a number for ${locales}`);
  is(errorOf(() => new Date(0).toLocaleDateString(locales)).name, 'RangeError', `a date for ${locales}`);
  is(errorOf(() => (1).toLocaleString(locales, { style: 'currency', currency: 'USD' })).name, 'RangeError', `a currency for ${locales}`);
}
const foreign = errorOf(() => (1234.5).toLocaleString('de-DE'));
is(foreign.name, 'RangeError', 'another locale');
is(foreign.message, 'locale "de-DE" is not available here: use "en-US" or leave it out', 'is named');
is(errorOf(() => (1).toLocaleString(null)).name, 'TypeError', 'null is no locale');
is(errorOf(() => (1).toLocaleString([5])).name, 'TypeError', 'a number is no locale');

// What is not available is refused by name; what the standard refuses is refused.
const refusals = [
  [1, { style: 'unit', unit: 'liter' }, 'RangeError', 'style "unit" is not available here'],
  [1, { notation: 'scientific' }, 'RangeError', 'notation "scientific" is not available here'],
  [1, { style: 'currency', currency: 'USD', currencyDisplay: 'name' }, 'RangeError', 'currencyDisplay "name" is not available here'],
  [1, { numberingSystem: 'arab' }, 'RangeError', 'numberingSystem "arab" is not available here'],
  [1, { roundingIncrement: 5 }, 'RangeError', 'roundingIncrement "5" is not available here'],
  [1, { style: 'nonsense' }, 'RangeError', 'style must be one of "decimal", "percent", "currency", not "nonsense"'],
  [1, { style: 'currency' }, 'TypeError', 'style "currency" needs the option currency'],
  [1, { style: 'currency', currency: 'US' }, 'RangeError', 'currency must be a code of three letters, not "US"'],
  [1, { maximumFractionDigits: 101 }, 'RangeError', 'maximumFractionDigits must be from 0 to 100, not 101'],
  [1, { minimumFractionDigits: 3, maximumFractionDigits: 2 }, 'RangeError', 'maximumFractionDigits must be from 3 to 100, not 2'],
  [1, null, 'TypeError', 'options must be an object or undefined, not null'],
  [new Date(0), { timeZone: 'America/New_York' }, 'RangeError', 'timeZone "America/New_York" is not available here: the realm knows UTC only'],
  [new Date(0), { era: 'short' }, 'RangeError', 'the option era is not available here'],
  [new Date(0), { dayPeriod: 'short' }, 'RangeError', 'the option dayPeriod is not available here'],
  [new Date(0), { calendar: 'hebrew' }, 'RangeError', 'calendar "hebrew" is not available here'],
  [new Date(0), { timeZoneName: 'shortOffset' }, 'RangeError', 'timeZoneName "shortOffset" is not available here'],
  [new Date(0), { weekday: 'long', year: 'numeric' }, 'RangeError', 'this combination of options is not available here: year with day or weekday needs month'],
  [new Date(0), { month: 'medium' }, 'RangeError', 'month must be one of "2-digit", "numeric", "narrow", "short", "long", not "medium"'],
  [new Date(0), { dateStyle: 'short', hour: 'numeric' }, 'TypeError', 'hour and dateStyle cannot be used together'],
];
for (const [value, options, name, message] of refusals) {
  const error = errorOf(() => value.toLocaleString('en-US', options));
  is(`${error.name}: ${error.message}`, `${name}: ${message}`, JSON.stringify(options));
}
is(errorOf(() => new Date(0).toLocaleDateString('en-US', { timeStyle: 'short' })).name, 'TypeError', 'a date has no timeStyle');
is(errorOf(() => new Date(0).toLocaleTimeString('en-US', { dateStyle: 'short' })).name, 'TypeError', 'a time has no dateStyle');
is(errorOf(() => Number.prototype.toLocaleString.call('x')).name, 'TypeError', 'a string is no number');
is(errorOf(() => Date.prototype.toLocaleString.call({})).name, 'TypeError', 'an object is no date');
return checks;
