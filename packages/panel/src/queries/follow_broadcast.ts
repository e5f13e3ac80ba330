import { useDocumentVisibility } from '@vueuse/core'
import { useQueryClient } from '@tanstack/vue-query'
import { type Ref, computed, onScopeDispose, watch } from 'vue'
import { api } from '@/api/client'
import { Problem } from '@/api/problem'
import { type Broadcast, broadcastKey, hasEnded } from '@/queries/broadcasts'

const STREAM = '/api/admin/notifications/broadcast/{appCode}/{id}/stream'
const RECONNECT_MS = 2_000
const LONGEST_WAIT_MS = 30_000

/**
 * Follows the progress of a broadcast as it is sent by the service, until it has ended. While the
 * page is hidden, it does not. After an interruption it waits longer each time.
 */
export function useProgress(
  appCode: string,
  id: number,
  broadcast: Ref<Broadcast | undefined>,
  onProgress: (broadcast: Broadcast) => void
) {
  const queries = useQueryClient()
  const visibility = useDocumentVisibility()
  const isFollowing = computed(
    () =>
      visibility.value === 'visible' && broadcast.value !== undefined && !hasEnded(broadcast.value)
  )
  let closing: AbortController | null = null

  function show(found: Broadcast) {
    queries.setQueryData(broadcastKey(appCode, id), found)
    onProgress(found)
  }

  watch(
    isFollowing,
    (follows) => {
      closing?.abort()
      closing = follows ? new AbortController() : null
      if (closing) void follow(closing.signal)
    },
    { immediate: true }
  )
  onScopeDispose(() => closing?.abort())

  async function follow(signal: AbortSignal) {
    let waitMs = RECONNECT_MS
    while (!signal.aborted) {
      try {
        await readStream(appCode, id, signal, (found) => {
          waitMs = RECONNECT_MS
          show(found)
        })
      } catch (error) {
        // Asking again changes nothing: what is shown stays, and reading the page again says why.
        if (error instanceof Problem && [401, 403, 404].includes(error.status)) return
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
      }
      await pause(waitMs, signal)
    }
  }
}

/** Reads server-sent events. `EventSource` could not send the header that requests need. */
async function readStream(
  appCode: string,
  id: number,
  signal: AbortSignal,
  show: (broadcast: Broadcast) => void
) {
  const params = { path: { appCode, id } }
  const { data } = await api.GET(STREAM, { params, signal, parseAs: 'stream' })
  const reader = (data as unknown as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += decoder.decode(value, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const line = block.split('\n').find((one) => one.startsWith('data: '))
      if (line) show(JSON.parse(line.slice('data: '.length)) as Broadcast)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
