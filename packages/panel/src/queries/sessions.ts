import { useQuery } from '@tanstack/vue-query'
import { useI18n } from 'vue-i18n'
import { api } from '@/api/client'
import { useChange } from '@/queries/use_change'
import { signOut } from '@/session/session'
import { toast } from '@/ui/toasts'

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

/** Ends all others first, and this one as signing out does: at the identity provider, too. */
export const useEndAllSessions = () =>
  useChange(
    async (target, _: null) => {
      const { data: sessions } = (await target.GET('/api/panel/sessions')).data!
      const others = sessions.filter(({ current }) => !current)
      await Promise.all(
        others.map(({ id }) =>
          target.DELETE('/api/panel/sessions/{id}', { params: { path: { id } } })
        )
      )
    },
    { refresh: [KEY], onSuccess: signOut }
  )

/** Ends this session. */
export function useSignOut() {
  const { t } = useI18n()
  const onProblem = () => {
    toast(t('user.notSignedOut'), true)
    return true
  }
  return useChange((_api, _: null) => signOut(), { refresh: [], onProblem })
}
