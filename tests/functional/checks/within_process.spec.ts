import { test } from '@japa/runner'
import { REVOCATIONS } from '#tests/functional/checks/revocations'
import { remote } from '#tests/helpers/remote'
import { serviceUrl } from '#tests/helpers/send'

test.group('Revocation and the next check in one process', () => {
  test('{$self}: denied immediately')
    .with(Object.keys(REVOCATIONS))
    .run(async ({ assert }, title) => {
      const service = remote(serviceUrl())
      const { question, revoke } = await REVOCATIONS[title](service)
      assert.isTrue(await service.allowed(question))
      await revoke(service)
      assert.isFalse(await service.allowed(question))
    })
})
