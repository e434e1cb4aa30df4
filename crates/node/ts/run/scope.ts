import { createHash } from 'node:crypto'

import { decode } from '../value/index.js'
import { type Manifest, fullNames } from './host-functions.js'
import type { RunInput } from './types.js'
import { encodePayload, textOf } from './values.js'

/** What a continuation belongs to, besides its run. */
export interface Scope {
  readonly audience: string
  readonly input: Pick<RunInput, 'continuationContext' | 'moduleLoader' | 'source' | 'sourceType'>
  readonly manifest: Manifest
  readonly syncManifest: Manifest
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** One digest of all that a continuation is bound to: it is equal, or the continuation is refused. */
export function scopeHash({ audience, input, manifest, syncManifest }: Scope): string {
  const { moduleLoader, source, sourceType } = input
  const usual = moduleLoader === undefined ? 'function-body' : 'module'
  return sha256(textOf({
    audience,
    bindingManifest: fullNames(manifest),
    continuationContext: decode(encodePayload(input.continuationContext, 'Continuation context')),
    ...(syncManifest.size > 0 && { syncBindingManifest: fullNames(syncManifest) }),
    ...(moduleLoader !== undefined && { moduleLoaderIdentity: moduleLoader.identity }),
    ...(sourceType !== undefined && sourceType !== usual && { sourceType }),
    transformedSourceHash: sha256(source),
  }))
}
