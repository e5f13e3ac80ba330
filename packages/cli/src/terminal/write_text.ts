import { once } from 'node:events'
import { printable } from './printable.ts'

/** Writes text to stdout as it arrives. To a terminal, it writes no control characters. */
export async function writeText(text: ReadableStream<Uint8Array>): Promise<void> {
  const { stdout } = process
  const decoder = new TextDecoder()
  for await (const bytes of text) {
    const chunk = decoder.decode(bytes, { stream: true })
    const shown = stdout.isTTY ? chunk.split('\n').map(printable).join('\n') : chunk
    if (!stdout.write(shown)) await once(stdout, 'drain')
  }
}
