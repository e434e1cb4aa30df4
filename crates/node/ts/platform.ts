import { closeSync, openSync, readSync } from 'node:fs'

/** `linux-x64`, `linux-arm64-musl`, `darwin-arm64`, `win32-x64`: a folder of `prebuilds`. */
export function platform(): string {
  const { platform, arch } = process
  return `${platform}-${arch}${platform === 'linux' && !hasGlibc() ? '-musl' : ''}`
}

/** Node's own file names its loader in its first bytes: a report, which would tell as well, takes milliseconds, and seconds where many are connected. */
function hasGlibc(): boolean {
  const loader = loaderOf(process.execPath)
  if (loader !== undefined) return loader === 'linux'
  const report = process.report as (NodeJS.ProcessReport & { excludeNetwork?: boolean }) | undefined
  if (report === undefined) return false
  const before = report.excludeNetwork
  report.excludeNetwork = true
  try {
    const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } }
    return header?.glibcVersionRuntime !== undefined
  } finally {
    report.excludeNetwork = before ?? false
  }
}

/** `linux` of `/lib64/ld-linux-x86-64.so.2`, `musl` of `/lib/ld-musl-x86_64.so.1`. */
function loaderOf(path: string): string | undefined {
  try {
    const head = Buffer.alloc(2048)
    const file = openSync(path, 'r')
    try {
      readSync(file, head)
    } finally {
      closeSync(file)
    }
    return /\/ld-(linux|musl)-/.exec(head.toString('latin1'))?.[1]
  } catch {
    return undefined
  }
}
