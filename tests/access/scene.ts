import type { ApiClient } from '@japa/api-client'
import type Application from '#app/applications/models/application'
import { PARAMETERS } from '#tests/access/routes'

/** What a request acts on: an application of its own, and what paths name in it. */
export interface Scene {
  client: ApiClient
  application: Application
  /** The person who asks. */
  email: string
  /** Where an entity's items are listed. */
  listEndpoint: string
  /** Keeps what paths name, so that they share it; otherwise each path names something new. */
  named?: Map<string, string | number>
}

/** The path of a request in this scene, with everything it names in existence. */
export async function pathIn(scene: Scene, pattern: string): Promise<string> {
  const segments = pattern.split('/')
  const path: string[] = []
  for (const [index, segment] of segments.entries()) {
    const isParameter = segment.startsWith(':') || segment === '*'
    path.push(isParameter ? encodeURIComponent(await valueOf(scene, segments, index)) : segment)
  }
  return path.join('/')
}

async function valueOf(scene: Scene, segments: string[], index: number) {
  const names = [
    segments.slice(index - 2, index + 2),
    segments.slice(index - 2, index + 1),
    segments.slice(index - 1, index + 1),
  ].map((part) => part.join('/'))
  const name = names.find((candidate) => candidate in PARAMETERS)
  if (!name)
    throw new Error(`${names.at(-1)} is not in the parameters of a section in tests/access`)
  const value = scene.named?.get(name) ?? (await PARAMETERS[name](scene))
  scene.named?.set(name, value)
  return value
}
