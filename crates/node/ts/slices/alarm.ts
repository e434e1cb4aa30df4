/** The longest that a timer can wait. One that is to wait longer does not wait at all. */
const LONGEST = 2 ** 31 - 1

/** Calls back at a time, in milliseconds since 1970, however far away. Gives what takes that back. */
export function callAt(time: number, call: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (): void => {
    const left = time - Date.now()
    timer = left > LONGEST ? setTimeout(wait, LONGEST) : setTimeout(call, Math.max(0, left))
  }
  wait()
  return () => clearTimeout(timer)
}
