import { LRUCache } from 'lru-cache'
import TemplateVersion, { type VersionStamp } from '#app/notifications/models/template_version'
import { compileVersion, type CompiledVersion } from '#app/notifications/rendering/compile_version'

const compiled = new LRUCache<string, CompiledVersion>({
  max: 2_000,
  maxSize: 16_000_000, // characters
  sizeCalculation: ({ size }) => size + 1,
})

/** Null if the version has been deleted. @throws TemplateSyntax, RenderedTooLarge */
export async function findCompiledVersion(stamp: VersionStamp): Promise<CompiledVersion | null> {
  const key = `${stamp.id}:${stamp.updatedAt}`
  const cached = compiled.get(key)
  if (cached) return cached
  const version = await TemplateVersion.find(stamp.id)
  if (!version) return null
  return compiledVersionOf(version)
}

/** @throws TemplateSyntax, RenderedTooLarge */
export function compiledVersionOf(version: TemplateVersion): CompiledVersion {
  const key = `${version.id}:${version.updatedAt.toMillis()}`
  const cached = compiled.get(key)
  if (cached) return cached
  const fresh = compileVersion(version)
  compiled.set(key, fresh)
  return fresh
}
