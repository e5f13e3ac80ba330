import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from '@japa/runner'
import { COMMAND, aMachine } from '#tests/helpers/command_line'

const machine = aMachine()

test.group('concierge completion', () => {
  test('bash completes commands, options and their values', async ({ assert }) => {
    const { stdout: script } = await machine.run(['completion', 'bash'])
    const file = join(machine.folder, 'completion.bash')
    writeFileSync(file, script)
    const complete = (...words: string[]) => {
      const line = words.map((word) => `'${word}'`).join(' ')
      const ask = `concierge() { node '${COMMAND}' "$@"; }; source '${file}'
        COMP_WORDS=(concierge ${line}); COMP_CWORD=${words.length}; _concierge; echo "\${COMPREPLY[*]}"`
      const { PATH } = process.env
      const env = { PATH: `${dirname(process.execPath)}:${PATH}`, HOME: machine.folder }
      const { stdout } = spawnSync('bash', ['--norc', '-c', ask], { env, encoding: 'utf8' })
      return stdout.trim().split(/\s+/)
    }
    assert.deepEqual(complete('perm'), ['permissions'])
    assert.includeMembers(complete('grants', ''), ['roles', 'add', 'deny'])
    assert.includeMembers(complete('broadcast', 'send', 'shop', '--'), ['--type', '--dry-run'])
    assert.deepEqual(complete('apps', 'list', '--output', ''), ['table', 'json', 'yaml'])
  }).timeout(120_000)

  test('the scripts for zsh and fish call the command', async ({ assert }) => {
    for (const shell of ['zsh', 'fish']) {
      const { code, stdout } = await machine.run(['completion', shell])
      assert.equal(code, 0)
      assert.include(stdout, 'concierge __complete -- ')
    }
    assert.equal((await machine.run(['completion', 'csh'])).code, 64)
  }).timeout(120_000)
})
