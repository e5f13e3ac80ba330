import type { AccessScope } from '#core/events/access_changed'

interface InvalidationMessage {
  kind: 'forget_decisions'
  scopes: AccessScope[]
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
 * Notifies the other workers of changes, through their parent process. On SQLite this is the only
 * channel; on PostgreSQL it is faster than notifications.
 */
export const workerChannel = {
  send(scopes: AccessScope[]) {
    const message: InvalidationMessage = { kind: 'forget_decisions', scopes }
    // Ignores errors: during a shutdown, the channel closes before the last requests end.
    process.send?.(message, undefined, undefined, () => {})
  },

  listen(onChange: (scopes: AccessScope[]) => void) {
    process.on('message', (message: unknown) => {
      if (isInvalidationMessage(message)) onChange(message.scopes)
    })
  },
}
