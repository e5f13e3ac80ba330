import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from '@japa/runner'
import { AUDIT_ACTIONS } from '#core/audit/audit_actions'
import { projectPath } from '#core/process/root'
import { TEST_OUTCOMES } from '#app/panel/values/test_sign_in'

type Texts = Record<string, unknown>

const PANEL = join(projectPath(), 'packages/panel/src')
const read = (path: string) => readFileSync(path, 'utf8')

/** The texts of a language by their keys, such as `applications.title`. */
function textsOf(language: string): Map<string, string> {
  const files = globSync(`${PANEL}/locales/${language}/*.json`)
  return new Map(
    files.flatMap((file) => flatten(basename(file, '.json'), JSON.parse(read(file)) as Texts))
  )
}

function flatten(path: string, texts: Texts): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [[`${path}.${key}`, text] as [string, string]]
      : flatten(`${path}.${key}`, text as Texts)
  )
}

const [english, czech] = [textsOf('en'), textsOf('cs')]
const sources = globSync(`${PANEL}/**/*.{vue,ts}`, { exclude: (path) => /locales/.test(path) })
  .map(read)
  .join('\n')
const description = read(join(projectPath(), 'docs/reference/openapi.json'))
const service = globSync(`${projectPath()}/{app,database}/**/*.ts`).map(read).join('\n')

/** Keys that are only completed while the panel runs, such as `why.rule.${name}`. */
const incomplete = [...sources.matchAll(/`([a-z][\w.]*\.[^`\s]*\$\{[^`]*)`/g)].map(
  ([, text]) => text
)

const patterns = incomplete.map((text) => {
  const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', String.raw`\.`))
  return new RegExp(`^${parts.join('(.+)')}$`)
})

const words = new Set([
  ...(sources.match(/[a-z]\w*/gi) ?? []),
  ...(sources.match(/[a-z]\w*(?:-\w+)+/gi) ?? []),
  // Kinds of what a deletion takes with it.
  ...(service.match(/kind: '\w+'/g) ?? []).map((text) => text.slice(7, -1)),
  ...TEST_OUTCOMES,
  ...(description.match(/"[\w.]+"/g) ?? []).flatMap((text) => text.slice(1, -1).split('.')),
])

/** Whether a source has the key, or completes one to it with words that there are. */
function isUsed(key: string) {
  if (new RegExp(`['"\`]${key.replaceAll('.', String.raw`\.`)}['"\`]`).test(sources)) return true
  return patterns.some((pattern) => {
    const completed = pattern.exec(key)?.slice(1)
    return completed?.every((part) => part.split('.').every((word) => words.has(word)))
  })
}

const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
const forms = (text: string) => text.split(' | ').length

test.group('Texts of the panel', () => {
  test('are in both languages', ({ assert }) => {
    assert.isAbove(english.size, 50)
    assert.sameMembers([...czech.keys()], [...english.keys()])
    assert.isEmpty([...english, ...czech].filter(([, text]) => text.trim() === ''))
  })

  test('name the same values in both languages', ({ assert }) => {
    for (const [key, text] of english) {
      assert.deepEqual(placeholders(czech.get(key) ?? ''), placeholders(text), key)
    }
  })

  test('have the plural forms of their language', ({ assert }) => {
    for (const [key, text] of english) {
      // Czech distinguishes one, few and other. A further form, the first, is for none at all.
      const expected = forms(text) === 1 ? 1 : forms(text) + 1
      assert.equal(forms(czech.get(key) ?? ''), expected, key)
    }
  })

  test('name every kind of change', ({ assert }) => {
    const named = [...english.keys()].filter((key) => key.startsWith('changes.action.'))
    assert.sameMembers(
      named.map((key) => key.slice('changes.action.'.length)),
      [...AUDIT_ACTIONS]
    )
  })

  test('name every outcome of a test sign-in', ({ assert }) => {
    for (const section of ['outcome', 'outcomeTodo']) {
      const start = `provider.${section}.`
      const named = [...english.keys()].filter((key) => key.startsWith(start))
      assert.sameMembers(
        named.map((key) => key.slice(start.length)),
        TEST_OUTCOMES
      )
    }
  })

  test('are all used, except words that all pages share', ({ assert }) => {
    assert.deepEqual(
      [...english.keys()].filter((key) => !isUsed(key)),
      []
    )
  })

  test('exist for the keys that the sources name', ({ assert }) => {
    const sections = new Set([...english.keys()].map((key) => key.split('.')[0]))
    const named = [...sources.matchAll(/(?<!\btm\()'(([a-z]\w*)(?:\.[a-zA-Z]\w*)+)'/g)]
      // Files can have the name of a section.
      .filter(([, key, section]) => sections.has(section) && !key.endsWith('.json'))
      .map(([, key]) => key)
    assert.deepEqual(
      named.filter((key) => !english.has(key) && !description.includes(`"operationId": "${key}"`)),
      []
    )
  })

  test('exist for the keys that are completed while the panel runs', ({ assert }) => {
    const isText = (pattern: RegExp) => [...english.keys()].some((key) => pattern.test(key))
    const sections = new RegExp(
      `^(?:${[...english.keys()].map((key) => key.split('.')[0]).join('|')})\\.`
    )
    assert.deepEqual(
      incomplete.filter((text, index) => sections.test(text) && !isText(patterns[index])),
      []
    )
  })
})
