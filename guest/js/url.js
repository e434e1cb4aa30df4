// URL (https://url.spec.whatwg.org/#url-class). The host parses; here are the parts, and the search parameters kept in step with them.
(function (native, kit) {
  'use strict';

  const { needArguments, paramsOf, setParams, stringSlice, TypeError, usvString } = kit;
  const { urlParse, urlSet } = native;

  // Positions in what the host answers.
  const HREF = 0;
  const ORIGIN = 1;
  const PROTOCOL = 2;
  const USERNAME = 3;
  const PASSWORD = 4;
  const HOST = 5;
  const HOSTNAME = 6;
  const PORT = 7;
  const PATHNAME = 8;
  const SEARCH = 9;
  const HASH = 10;

  const parse = (url, base) => urlParse(usvString(url), base === undefined ? undefined : usvString(base));

  const invalid = (url) => {
    const error = new TypeError('Invalid URL');
    error.code = 'ERR_INVALID_URL';
    error.input = usvString(url);
    return error;
  };

  class URL {
    #parts;
    #params; // made when it is asked for

    static {
      const shown = [HREF, 'href: ', ORIGIN, 'origin: ', PROTOCOL, 'protocol: ', USERNAME, 'username: ', PASSWORD, 'password: ', HOST, 'host: ', HOSTNAME,
        'hostname: ', PORT, 'port: ', PATHNAME, 'pathname: ', SEARCH, 'search: '];
      kit.platform[kit.platform.length] = (value) => {
        if (!(#parts in value)) return undefined;
        const parts = kit.list();
        for (let i = 0; i < shown.length; i += 2) {
          parts[i] = shown[i + 1];
          parts[i + 1] = value.#parts[shown[i]];
        }
        parts[parts.length] = 'searchParams: ';
        parts[parts.length] = URL.#paramsOf(value);
        parts[parts.length] = 'hash: ';
        parts[parts.length] = value.#parts[HASH];
        return parts;
      };
    }

    static #paramsOf(url) {
      url.#params ??= paramsOf(stringSlice(url.#parts[SEARCH], 1), (query) => {
        url.#parts = urlSet(url.#parts[HREF], 'search', query);
      });
      return url.#params;
    }

    #set(part, value) {
      this.#parts = urlSet(this.#parts[HREF], part, usvString(value));
    }

    #refreshParams() {
      if (this.#params) setParams(this.#params, stringSlice(this.#parts[SEARCH], 1));
    }

    static canParse(url, base = undefined) {
      needArguments(arguments.length, 1, 'URL.canParse');
      return parse(url, base) !== undefined;
    }

    static parse(url, base = undefined) {
      needArguments(arguments.length, 1, 'URL.parse');
      const parts = parse(url, base);
      return parts === undefined ? null : new URL(parts[HREF]);
    }

    constructor(url, base = undefined) {
      needArguments(arguments.length, 1, 'URL');
      const parts = parse(url, base);
      if (parts === undefined) throw invalid(url);
      this.#parts = parts;
    }

    get href() {
      return this.#parts[HREF];
    }

    set href(value) {
      const parts = urlSet(this.#parts[HREF], 'href', usvString(value));
      if (parts === undefined) throw invalid(value);
      this.#parts = parts;
      this.#refreshParams();
    }

    get origin() {
      return this.#parts[ORIGIN];
    }

    get protocol() {
      return this.#parts[PROTOCOL];
    }

    set protocol(value) {
      this.#set('protocol', value);
    }

    get username() {
      return this.#parts[USERNAME];
    }

    set username(value) {
      this.#set('username', value);
    }

    get password() {
      return this.#parts[PASSWORD];
    }

    set password(value) {
      this.#set('password', value);
    }

    get host() {
      return this.#parts[HOST];
    }

    set host(value) {
      this.#set('host', value);
    }

    get hostname() {
      return this.#parts[HOSTNAME];
    }

    set hostname(value) {
      this.#set('hostname', value);
    }

    get port() {
      return this.#parts[PORT];
    }

    set port(value) {
      this.#set('port', value);
    }

    get pathname() {
      return this.#parts[PATHNAME];
    }

    set pathname(value) {
      this.#set('pathname', value);
    }

    get search() {
      return this.#parts[SEARCH];
    }

    set search(value) {
      this.#set('search', value);
      this.#refreshParams();
    }

    get searchParams() {
      return URL.#paramsOf(this);
    }

    get hash() {
      return this.#parts[HASH];
    }

    set hash(value) {
      this.#set('hash', value);
    }

    toString() {
      return this.#parts[HREF];
    }

    toJSON() {
      return this.#parts[HREF];
    }
  }

  kit.platformClass(URL);
});
