import { test } from '@japa/runner'
import { MalformedYaml } from '#app/policies/exceptions'
import { inYamlProcess } from '#app/policies/yaml/yaml_process'
import { eventually } from '#tests/helpers/eventually'
import { childrenOf, isRunning } from '#tests/world/process_tree'

/** Each takes much more memory than its length to read, and used to end the process. */
const HUNGRY = {
  tags: '!a '.repeat(333_333),
  commas: `a: [${','.repeat(1_000_000)}]`,
}

/** Memory runs out long before the time does. */
const LIMITS = { elapsedMs: 120_000, memoryMiB: 32 }

/** Runs until it is ended from outside. */
const LARGE = { elapsedMs: 120_000, memoryMiB: 256 }

test.group('A hostile policy', () => {
  for (const [name, text] of Object.entries(HUNGRY)) {
    test(`in YAML of ${name} is refused`, async ({ assert }) => {
      const reading = inYamlProcess('attacker', { parse: text }, LIMITS)
      await assert.rejects(() => reading, MalformedYaml)
      const { memory } = (await inYamlProcess('other', { parse: 'memory: left' })) as {
        memory: string
      }
      assert.equal(memory, 'left')
    }).timeout(180_000)
  }

  test('whose process the system ends to get memory back is refused', async ({ assert }) => {
    const others = new Set(childrenOf(process.pid))
    const reading = inYamlProcess('attacker', { parse: HUNGRY.tags }, LARGE)
    const outcome = assert.rejects(() => reading, MalformedYaml)
    const [child] = await eventually('the process has started', () => {
      const started = childrenOf(process.pid).filter((pid) => !others.has(pid) && isRunning(pid))
      return started.length > 0 && started
    })
    process.kill(child, 'SIGKILL')
    await outcome
  })
})
