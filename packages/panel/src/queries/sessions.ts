import { useQuery } from '@tanstack/vue-query'
import { api } from '@/api/client'
import { useChange } from '@/queries/use_change'
import { signIn } from '@/session/session'

const KEY = ['sessions']

/** The browsers in which the person is signed in. */
export const useSessions = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async () => (await api.GET('/api/panel/sessions')).data!.data,
  })

export const useEndSession = (done: (ended: number) => string) =>
  useChange(
    async (target, id: number) =>
      (await target.DELETE('/api/panel/sessions/{id}', { params: { path: { id } } })).data!.data
        .ended,
    { refresh: [KEY], done }
  )

export const useEndAllSessions = () =>
  useChange((target, _: null) => target.DELETE('/api/panel/sessions'), {
    refresh: [],
    onSuccess: () => signIn('/panel/sessions'),
  })
