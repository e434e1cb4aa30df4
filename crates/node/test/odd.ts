/** What anybody may throw, and with which message it is told. */
export const ODD: Readonly<Record<string, readonly [make: () => unknown, message: string]>> = {
  getter: [() => ({ get message() { throw new Error('boo') } }), ''],
  revoked: [() => revoked({}), ''],
  revokedFunction: [() => revoked(() => {}), ''],
  null: [() => null, 'null'],
  symbol: [() => Symbol('x'), 'Symbol(x)'],
  bare: [() => Object.create(null) as unknown, ''],
}

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}
