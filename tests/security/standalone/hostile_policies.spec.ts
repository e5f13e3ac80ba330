import { test } from '@japa/runner'
import { MalformedYaml } from '#app/policies/exceptions'
import { inYamlProcess } from '#app/policies/yaml/yaml_process'

/** Each takes much more memory than its length to read, and used to end the process. */
const HUNGRY = {
  tags: '!a '.repeat(333_333),
  commas: `a: [${','.repeat(1_000_000)}]`,
}

/** Memory runs out long before the time does. */
const LIMITS = { elapsedMs: 120_000, memoryMiB: 32 }

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
})
