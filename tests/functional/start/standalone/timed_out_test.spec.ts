import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { ProjectCopy } from '#tests/helpers/project_copy'

/** Its work continues after the test has failed. */
const TOO_SLOW = `import { test } from '@japa/runner'
test.group('first', () => {
  test('takes too long', async () => {
    Object.assign(globalThis, { isStillRunning: true })
    await new Promise(() => {})
  }).timeout(50)
  test('is in the same file', () => {})
})
`

const AFTER_IT = `import { test } from '@japa/runner'
test.group('next', () => {
  test('is alone', ({ assert }) => assert.notProperty(globalThis, 'isStillRunning'))
})
`

test.group('A test that takes too long', () => {
  test('fails and is gone when the next file runs', async ({ assert, cleanup }) => {
    const copy = await ProjectCopy.make()
    cleanup(() => copy.remove())
    const files = { too_slow_1: TOO_SLOW, too_slow_2: AFTER_IT, too_slow_3: AFTER_IT }
    for (const [name, text] of Object.entries(files))
      await writeFile(join(copy.root, `tests/unit/${name}.spec.ts`), text)
    const selected = Object.keys(files).map((name) => `--files=${name}`)
    const { code, output } = await copy.node(
      ['--import=@poppinss/ts-exec', 'tests/run.ts', ...selected],
      { TEST_ON: 'sqlite' }
    )
    assert.equal(code, 1)
    assert.include(output, '3 passed, 1 failed, 0 skipped')
    assert.notInclude(output, 'ended before its last test')
  }).timeout(180_000)
})
