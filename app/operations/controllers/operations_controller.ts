import { successEnvelope } from '#core/values/envelopes'
import { readOperations } from '#app/operations/actions/read_operations'
import { operationsResource } from '#app/operations/transformers/operations_resource'

/** See platform.md#operations. */
export default class OperationsController {
  /**
   * Get the state of the service. Shows processes, queues, reachability, keys, caches, and requests
   * of the last hour. Processes of all machines are included.
   */
  async show() {
    return successEnvelope(operationsResource(await readOperations()))
  }
}
