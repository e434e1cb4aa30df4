/** `linux-x64`, `linux-arm64-musl`, `darwin-arm64`, `win32-x64`: a folder of `prebuilds`. */
export function platform(): string {
  const { platform, arch } = process
  return `${platform}-${arch}${platform === 'linux' && !hasGlibc() ? '-musl' : ''}`
}

function hasGlibc(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined
  return report?.header?.glibcVersionRuntime !== undefined
}
