import type { AccessScope } from '#core/events/access_changed'

interface ForgetMessage {
  kind: 'forget_decisions'
  scopes: AccessScope[]
}

function isForgetMessage(message: unknown): message is ForgetMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    message.kind === 'forget_decisions'
  )
}

/**
 * The other worker processes of one service, reached through their parent (`bin/main.ts` passes messages on). With
 * SQLite this is the only way they hear of a change; with PostgreSQL it is the faster of two.
 */
export const workerProcesses = {
  tell(scopes: AccessScope[]) {
    const message: ForgetMessage = { kind: 'forget_decisions', scopes }
    // The channel closes before the last requests end when the service stops; then there is nobody left to tell.
    process.send?.(message, undefined, undefined, () => {})
  },

  /** Calls back with what another worker changed. */
  listen(onChange: (scopes: AccessScope[]) => void) {
    process.on('message', (message: unknown) => {
      if (isForgetMessage(message)) onChange(message.scopes)
    })
  },
}
