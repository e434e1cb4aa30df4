import type { Hooks } from './codec.js'
import { checkMethods } from './options.js'

type Awaitable<T> = T | Promise<T>

/** Gives modules their names and their texts. Both may take their time; the script stands still meanwhile. */
export interface ModuleLoader {
  /** The name of the module that `importer` calls `specifier`. By default `./` and `../` are resolved against the importer's name, and everything else stands for itself. */
  normalize?(specifier: string, importer: string): Awaitable<string>
  /** The text of the module: JavaScript or TypeScript. Asked once a run for each name. */
  load(name: string): Awaitable<string>
}

/** A loader, or names and their texts. */
export type Modules = ModuleLoader | Readonly<Record<string, string>>

/** @internal */
export function moduleHooks(modules: Modules): Hooks {
  checkMethods('modules', 'an object of texts by their names, or with load()', modules, [])
  const loader = isLoader(modules) ? modules : ofTexts(modules)
  return {
    normalize: ({ specifier, importer }) => (loader.normalize ?? resolve).call(loader, specifier as string, importer as string),
    load: ({ name }) => loader.load(name as string),
  }
}

function isLoader(modules: Modules): modules is ModuleLoader {
  return typeof modules.load === 'function'
}

function ofTexts(texts: Readonly<Record<string, string>>): ModuleLoader {
  return {
    load(name) {
      const text = Object.hasOwn(texts, name) ? texts[name] : undefined
      if (text !== undefined) return text
      const message = `there is no module \`${name}\`; there are: ${Object.keys(texts).sort().join(', ')}`
      throw Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND' })
    },
  }
}

/** `specifier` as a path relative to the folder of `importer`. */
function resolve(specifier: string, importer: string): string {
  if (!specifier.startsWith('./') && !specifier.startsWith('../')) return specifier
  const parts = importer.split('/').slice(0, -1).filter((part) => part !== '')
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
