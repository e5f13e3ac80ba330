import { once } from 'node:events'
import { printableLines } from './printable.ts'

/** Writes text to stdout as it arrives. To a terminal, it writes no control characters. */
export async function writeText(text: ReadableStream<Uint8Array>): Promise<void> {
  const { stdout } = process
  const decoder = new TextDecoder()
  for await (const bytes of text) {
    const chunk = decoder.decode(bytes, { stream: true })
    if (!stdout.write(printableLines(chunk))) await once(stdout, 'drain')
  }
}
