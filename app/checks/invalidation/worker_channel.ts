import type { AccessNotice } from '#core/database/access_transaction'

interface InvalidationMessage extends AccessNotice {
  kind: 'forget_decisions'
}

function isInvalidationMessage(message: unknown): message is InvalidationMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    message.kind === 'forget_decisions'
  )
}

/**
 * Notifies the other workers of changes, through their parent process. On SQLite this is the
 * fastest channel; on PostgreSQL it is faster than notifications.
 */
export const workerChannel = {
  send({ scopes, revision }: AccessNotice) {
    const message: InvalidationMessage = { kind: 'forget_decisions', scopes, revision }
    // Ignores errors: during a shutdown, the channel closes before the last requests end.
    process.send?.(message, undefined, undefined, () => {})
  },

  listen(onChange: (notice: AccessNotice) => void) {
    process.on('message', (message: unknown) => {
      if (isInvalidationMessage(message)) onChange(message)
    })
  },
}
