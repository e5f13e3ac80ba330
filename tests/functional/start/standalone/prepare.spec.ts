import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { ProjectCopy } from '#tests/helpers/project_copy'

const USED_BY_CLIENT = '/api/internal/notifications'

test.group('The preparation of a checkout', () => {
  test('names the command that repairs an incomplete API description', async ({
    assert,
    cleanup,
  }) => {
    const copy = await ProjectCopy.make()
    cleanup(() => copy.remove())
    const file = join(copy.root, 'docs/reference/openapi.json')
    const complete = await readFile(file, 'utf8')
    const description = JSON.parse(complete)
    delete description.paths[USED_BY_CLIENT]
    await writeFile(file, JSON.stringify(description))

    const refused = await copy.node(['bin/prepare.js'])
    assert.notEqual(refused.code, 0)
    assert.include(refused.output, 'npm run ace -- openapi:generate')
    const npm = [process.env.npm_execpath!, '--prefix', copy.root]
    const generated = await copy.node([...npm, 'run', 'ace', '--', 'openapi:generate'])
    assert.equal(generated.code, 0, generated.output)
    assert.isTrue((await readFile(file, 'utf8')) === complete)
  }).timeout(300_000)
})
