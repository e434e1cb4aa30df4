/** Methods whose lines are for the standard error stream. */
const TO_STDERR = new Set(['assert', 'error', 'trace', 'warn'])

/** What a script prints, to this process's own streams, up to a number of bytes. */
export class Console {
  #left: number

  constructor(mostBytes: number) {
    this.#left = mostBytes
  }

  /** Prints lines, each with its method. What a replay repeats is counted, and not printed again. */
  print(lines: readonly (readonly [method: string, text: string])[], replays: boolean): void {
    for (const [method, text] of lines) {
      const line = `${escaped(text)}\n`
      const bytes = Buffer.byteLength(line)
      // The first that does not fit is the end of it.
      this.#left = bytes > this.#left ? 0 : this.#left - bytes
      if (this.#left === 0) return
      if (!replays) (TO_STDERR.has(method) ? process.stderr : process.stdout).write(line)
    }
  }
}

/** A script must not steer the terminal. */
function escaped(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
