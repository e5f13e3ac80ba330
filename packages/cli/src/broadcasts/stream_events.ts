export interface StreamEvent {
  name: string
  data: string
}

/** Parses a stream of Server-Sent Events. */
export async function* streamEvents(
  body: ReadableStream<Uint8Array>
): AsyncGenerator<StreamEvent, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = read(block)
      if (event) yield event
    }
  }
}

function read(block: string): StreamEvent | undefined {
  const fields = block.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s, 2))
  const values = (name: string) =>
    fields.filter(([field]) => field === name).map(([, value = '']) => value)
  const data = values('data')
  if (data.length === 0) return undefined
  return { name: values('event').at(-1) ?? 'message', data: data.join('\n') }
}
