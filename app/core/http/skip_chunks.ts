import type { Socket } from 'node:net'

type Callback = (...args: unknown[]) => unknown

/** What is used of the parser of a connection, which Node does not declare. */
interface Parser {
  [index: number]: Callback | undefined
  constructor: { kOnBody: number }
}

/**
 * Keeps Node from handing over the chunks of a body that it has read already, but not parsed: there
 * can be ten thousand, which take 20 ms. Without a callback, the parser passes over them.
 *
 * @returns hands over the chunks that follow; until then, those of one read are skipped
 */
export function skipChunks(socket: Socket): () => void {
  const { parser } = socket as Socket & { parser?: Parser | null }
  if (!parser) return () => {}
  const { kOnBody } = parser.constructor
  const onBody = parser[kOnBody]
  if (!onBody) return () => {}
  const restore = () => {
    parser[kOnBody] = onBody
    clearImmediate(afterReading)
    socket.off('close', restore)
  }
  parser[kOnBody] = undefined
  const afterReading = setImmediate(restore)
  // Then another connection may get the parser.
  socket.once('close', restore)
  return restore
}
