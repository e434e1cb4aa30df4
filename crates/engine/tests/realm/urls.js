// URL: https://url.spec.whatwg.org/#url-class
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${String(got)} in place of ${String(expected)}`);
};
const caught = (run) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

const url = new URL('https://user:pass@sub.example.com:8080/p/a/t/h?query=string&a=1#hash');
const parts = {
  href: 'https://user:pass@sub.example.com:8080/p/a/t/h?query=string&a=1#hash',
  origin: 'https://sub.example.com:8080',
  protocol: 'https:',
  username: 'user',
  password: 'pass',
  host: 'sub.example.com:8080',
  hostname: 'sub.example.com',
  port: '8080',
  pathname: '/p/a/t/h',
  search: '?query=string&a=1',
  hash: '#hash',
};
for (const [name, value] of Object.entries(parts)) is(url[name], value, name);
is(String(url), parts.href, 'toString');
is(JSON.stringify({ url }), `{"url":"${parts.href}"}`, 'toJSON');

// Resolution, normalisation, international names, odd schemes.
for (const [input, base, expected] of [
  ['../x', 'https://a.b/c/d/e', 'https://a.b/c/x'],
  ['//other/y', 'https://a.b/c', 'https://other/y'],
  ['?q', 'https://a.b/c?d#e', 'https://a.b/c?q'],
  ['#f', 'https://a.b/c?d#e', 'https://a.b/c?d#f'],
  ['', 'https://a.b/c?d#e', 'https://a.b/c?d'],
  ['HTTPS://EXAMPLE.com:443/a/./b/../c', undefined, 'https://example.com/a/c'],
  ['  https://a.b/ü ß\n', undefined, 'https://a.b/%C3%BC%20%C3%9F'],
  ['https://münchen.de/', undefined, 'https://xn--mnchen-3ya.de/'],
  ['http://[::1]:3000/', undefined, 'http://[::1]:3000/'],
  ['http://0x7f.1/', undefined, 'http://127.0.0.1/'],
  ['mailto:a@b.c', undefined, 'mailto:a@b.c'],
  ['data:text/plain,hi', undefined, 'data:text/plain,hi'],
  ['file:///c:/x/../y', undefined, 'file:///c:/y'],
  ['https://a/\ud800', undefined, 'https://a/%EF%BF%BD'],
]) {
  is(new URL(input, base).href, expected, `${input} on ${base}`);
}
is(new URL(new URL('https://a.b/c'), 'https://x.y').href, 'https://a.b/c', 'a URL is an input');
is(new URL('data:x').origin, 'null', 'an opaque origin');

// What is no URL.
for (const input of ['', 'foo', 'http://', 'https://a b/', 'http://a:99999/', '//x', 'http://[zz]/']) {
  const error = caught(() => new URL(input));
  is(error instanceof TypeError, true, `"${input}" is a TypeError`);
  is(error.message, 'Invalid URL', 'message');
  is(error.code, 'ERR_INVALID_URL', 'code');
  is(error.input, input, 'input');
  is(URL.canParse(input), false, 'canParse');
  is(URL.parse(input), null, 'parse');
}
is(URL.canParse('x', 'https://a'), true, 'canParse with a base');
is(URL.canParse('https://a', 'nonsense'), false, 'the base counts even where it is not needed');
is(URL.parse('x', 'https://a').href, 'https://a/x', 'parse with a base');
is(caught(() => new URL()) instanceof TypeError, true, 'an argument is needed');
is(caught(() => URL('https://a')) instanceof TypeError, true, 'new is needed');
is(caught(() => URL.prototype.href) instanceof TypeError, true, 'the prototype is no URL');

// Setters.
const set = (name, value, expected, from = 'https://user:pass@example.com:8080/path?query#hash') => {
  const changed = new URL(from);
  changed[name] = value;
  is(changed.href, expected, `${name} = ${value}`);
};
set('protocol', 'http', 'http://user:pass@example.com:8080/path?query#hash');
set('protocol', 'mailto', 'https://user:pass@example.com:8080/path?query#hash');
set('username', 'ü@', 'https://%C3%BC%40:pass@example.com:8080/path?query#hash');
set('password', '', 'https://user@example.com:8080/path?query#hash');
set('host', 'other.org:1', 'https://user:pass@other.org:1/path?query#hash');
set('hostname', 'other.org', 'https://user:pass@other.org:8080/path?query#hash');
set('hostname', '', 'https://user:pass@example.com:8080/path?query#hash');
set('port', '443', 'https://user:pass@example.com/path?query#hash');
set('port', '', 'https://user:pass@example.com/path?query#hash');
set('port', 'x', 'https://user:pass@example.com:8080/path?query#hash');
set('port', 99, 'https://user:pass@example.com:99/path?query#hash');
set('pathname', 'a b/../c?#', 'https://user:pass@example.com:8080/c%3F%23?query#hash');
set('search', 'a=b c', 'https://user:pass@example.com:8080/path?a=b%20c#hash');
set('search', '', 'https://user:pass@example.com:8080/path#hash');
set('hash', '', 'https://user:pass@example.com:8080/path?query');
set('hash', '#x y', 'https://user:pass@example.com:8080/path?query#x%20y');
set('href', 'https://new/', 'https://new/');
const kept = new URL('https://a/');
is(caught(() => (kept.href = 'nonsense')) instanceof TypeError, true, 'a bad href throws');
is(kept.href, 'https://a/', 'and changes nothing');
is(Reflect.set(new URL('https://a/'), 'origin', 'x'), false, 'origin is read-only');

// Search parameters and the URL follow each other.
const live = new URL('https://a/?x=1&y=2');
const parameters = live.searchParams;
is(live.searchParams, parameters, 'one object');
parameters.append('z', 'a b&');
is(live.href, 'https://a/?x=1&y=2&z=a+b%26', 'append reaches the URL');
parameters.delete('x');
parameters.set('y', '3');
is(live.search, '?y=3&z=a+b%26', 'delete and set reach the URL');
live.search = '?q=%20&r';
is([...parameters].join('|'), 'q, |r,', 'search reaches the parameters');
live.href = 'https://b/?only=one';
is(parameters.get('only'), 'one', 'href reaches the parameters');
parameters.delete('only');
is(live.href, 'https://b/', 'no parameters, no question mark');
parameters.append('n', '1');
parameters.append('m', '2');
parameters.sort();
is(live.href, 'https://b/?m=2&n=1', 'sort reaches the URL');
is(Reflect.set(live, 'searchParams', 1), false, 'searchParams is read-only');
return checks;
