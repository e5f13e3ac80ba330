import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { api } from '@/api/client'
import { Problem } from '@/api/problem'
import { announceAccount } from '@/session/account'

export type PanelLevel = 'view' | 'edit'

/** The longest address that a sign-in can return to. */
const MAX_RETURN_TO = 256

const RETURN_TO = 'concierge-return-to'
const SIGNED_IN = 'concierge-signed-in'

/** Whether this browser may have a session. Without one, asking for it would only be 401. */
export const mayBeSignedIn = () => localStorage.getItem(SIGNED_IN) !== null

/** Leads to the identity provider, and back to the page. A long address waits in this tab. */
export function signIn(path = location.pathname + location.search) {
  localStorage.setItem(SIGNED_IN, '1')
  const isLong = path.length > MAX_RETURN_TO
  if (isLong) sessionStorage.setItem(RETURN_TO, path)
  location.assign(`/panel/login?return_to=${encodeURIComponent(isLong ? '/panel' : path)}`)
}

/** The long address, below `/panel`, that someone wanted to see before signing in; once. */
export function takeReturnAddress(): string | null {
  const path = sessionStorage.getItem(RETURN_TO)
  sessionStorage.removeItem(RETURN_TO)
  return path && path.slice('/panel'.length)
}

declare global {
  interface Window {
    /** What `theme.js` has asked for already. */
    conciergeSession?: Promise<Response>
  }
}

/** Takes the early response, once. */
function takeEarlyResponse() {
  const early = window.conciergeSession
  delete window.conciergeSession
  return early && { fetch: () => early }
}

/** Who is signed in, and what to offer them. The service decides what they may do. */
export function useSession() {
  const query = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      const { data } = await api.GET('/api/panel/session', takeEarlyResponse() ?? {})
      announceAccount(data!.data.email)
      return data!.data
    },
    staleTime: 60_000,
  })
  const levelOf = (appCode: string): PanelLevel | null =>
    query.data.value?.applications.find((one) => one.appCode === appCode)?.level ?? null
  return {
    ...query,
    user: query.data,
    /** What they work on: the panel's own application is not among it. */
    applications: computed(() =>
      (query.data.value?.applications ?? []).filter(({ appCode }) => appCode !== 'auth')
    ),
    levelOf,
    canView: (appCode: string) => levelOf(appCode) !== null,
    canEdit: (appCode: string) => levelOf(appCode) === 'edit',
    /** May change at least one application. */
    canEditAny: computed(() =>
      (query.data.value?.applications ?? []).some(({ level }) => level === 'edit')
    ),
    isSuperAdmin: computed(() => query.data.value?.isSuperAdmin ?? false),
    /** May create applications, and change brands and languages. */
    isGlobalAdmin: computed(() => query.data.value?.isGlobalAdmin ?? false),
    /** May see all users, not only those of one application. */
    mayReadUsers: computed(() => query.data.value?.mayReadUsers ?? false),
  }
}

/** Ends the session here, then at the provider. @throws Problem if the session remains */
export async function signOut() {
  const response = await fetch('/panel/logout', {
    method: 'POST',
    headers: { 'x-concierge-panel': '1' },
  })
  if (!response.ok) throw await Problem.of(response)
  localStorage.removeItem(SIGNED_IN)
  const { endSessionUrl } = (await response.json()) as { endSessionUrl: string | null }
  location.assign(endSessionUrl ?? '/panel')
}
