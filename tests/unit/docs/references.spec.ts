import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { anchorsOf, projectFiles, readProjectFile, relativeLinks } from '#tests/helpers/documents'
import { projectPath } from '#core/process/root'

const BEHAVIOUR = 'docs/reference/behaviour/'
/** How code cites a rule, such as `checks.md#evaluation-order`. */
const CITATION = /(?<![\w/.-])([a-z-]+\.md)#([a-z\d-]+)/g
/** Documents that a reader of the repository does not have. */
const FOREIGN = /\b(?:specification|decisions?|contract)(?:'s)?,?(?: parts?| sections?)? \d+\.\d/i

const files = projectFiles().filter((file) => existsSync(join(projectPath(), file)))
const pages = files.filter((file) => file.endsWith('.md'))
const code = files.filter((file) => /\.(?:ts|js|stub)$/.test(file))

test.group('References', () => {
  test('of the code name a rule of the behaviour pages', ({ assert }) => {
    const broken = code.flatMap((file) =>
      [...readProjectFile(file).matchAll(CITATION)]
        .filter(([, page, anchor]) => !anchorsIn(BEHAVIOUR + page).has(anchor))
        .map(([citation]) => `${file}: ${citation}`)
    )
    assert.isAbove(code.length, 100)
    assert.deepEqual(broken, [])
  })

  test('between pages lead somewhere', ({ assert }) => {
    const broken = pages.flatMap((file) =>
      relativeLinks(file, readProjectFile(file))
        .filter(({ path, anchor }) => !leads(path, anchor))
        .map(({ target }) => `${file}: ${target}`)
    )
    assert.deepEqual(broken, [])
  })

  test('never name a document outside the repository', ({ assert }) => {
    const found = [...code, ...pages].filter(
      (file) => !file.endsWith('references.spec.ts') && FOREIGN.test(readProjectFile(file))
    )
    assert.deepEqual(found, [])
  })
})

const known = new Map<string, Set<string>>()

function anchorsIn(file: string): Set<string> {
  if (!pages.includes(file)) return new Set()
  const anchors = known.get(file) ?? anchorsOf(readProjectFile(file))
  known.set(file, anchors)
  return anchors
}

function leads(path: string, anchor: string | undefined): boolean {
  if (!existsSync(join(projectPath(), path))) return false
  return anchor === undefined || anchorsIn(path).has(anchor)
}
