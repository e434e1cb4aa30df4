/** The furthest that a timer can be away. */
const FAR = 2 ** 31 - 1

let timer: NodeJS.Timeout | undefined
let waiting = 0

/** Keeps the process alive while a run waits for something that the event loop does not see: a thread that computes, a timer of the script's. */
export function holdProcess(): void {
  if (waiting++ > 0) return
  timer ??= setInterval(() => {}, FAR)
  timer.ref()
}

/** One run less waits. */
export function releaseProcess(): void {
  if (--waiting === 0) timer?.unref()
}
