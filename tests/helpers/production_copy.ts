import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectPath } from '#core/process/root'
import { ProjectCopy } from '#tests/helpers/project_copy'

interface LockFile {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }>
}

/**
 * Builds a copy of the project and leaves it only what production installs.
 * @throws Error with the output if the build fails
 */
export async function productionCopy(): Promise<ProjectCopy> {
  const copy = await ProjectCopy.make()
  const { code, output } = await copy.node(['ace.js', 'build', '--tsconfig=tsconfig.build.json'])
  if (code !== 0) throw new Error(`The build failed: ${output}`)
  await rm(join(copy.root, 'node_modules'))
  for (const name of await productionPackages()) {
    const link = join(copy.root, name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(projectPath(), name), link, 'junction')
  }
  // Hides the sources, because the build must not fall back on them.
  for (const name of ['app', 'development', 'tests']) {
    await rename(join(copy.root, name), join(copy.root, `${name}.away`))
  }
  return copy
}

/** The packages that `npm ci --omit=dev --omit=optional` installs. */
async function productionPackages() {
  const lock = await readFile(join(projectPath(), 'package-lock.json'), 'utf8')
  return Object.entries((JSON.parse(lock) as LockFile).packages)
    .filter(
      ([name, { dev, devOptional, link }]) => isTopLevel(name) && !dev && !devOptional && !link
    )
    .map(([name]) => name)
}

const isTopLevel = (name: string) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name)
