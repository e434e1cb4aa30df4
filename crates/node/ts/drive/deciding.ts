let deciding = false

/** Asks a policy. The native layer waits on the spot meanwhile: nothing else may be said to it. */
export function decideWith<T>(decide: () => T): T {
  deciding = true
  try {
    return decide()
  } finally {
    deciding = false
  }
}

export function isDeciding(): boolean {
  return deciding
}

/** For whatever begins something. */
export function refuseWhileDeciding(): void {
  if (deciding) throw new Error('a policy decides on the spot: it can begin nothing')
}
