import { LRUCache } from 'lru-cache'
import TemplateVersion, { type VersionStamp } from '#app/notifications/models/template_version'
import { compileVersion, type CompiledVersion } from '#app/notifications/rendering/compiled_version'

const compiled = new LRUCache<string, CompiledVersion>({
  max: 2_000,
  // In characters of template.
  maxSize: 16_000_000,
  sizeCalculation: ({ size }) => size + 1,
})

/**
 * The version, parsed once for each state of it; null when it has been deleted meanwhile.
 *
 * @throws TemplateSyntax, RenderedTooLarge
 */
export async function compiledVersion(stamp: VersionStamp): Promise<CompiledVersion | null> {
  const key = `${stamp.id}:${stamp.updatedAt}`
  const known = compiled.get(key)
  if (known) return known
  const version = await TemplateVersion.find(stamp.id)
  if (!version) return null
  return compiledFrom(version)
}

/**
 * The same for a version that has been read already.
 *
 * @throws TemplateSyntax, RenderedTooLarge
 */
export function compiledFrom(version: TemplateVersion): CompiledVersion {
  const key = `${version.id}:${version.updatedAt.toMillis()}`
  const known = compiled.get(key)
  if (known) return known
  const fresh = compileVersion(version)
  compiled.set(key, fresh)
  return fresh
}
