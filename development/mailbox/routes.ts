import type { RequestListener, ServerResponse } from 'node:http'
import { sendJson } from '#development/http'
import { sendPage } from '#development/pages/page'
import type { MailStore } from './mail_store.ts'
import { listPage, mailFrame, mailPage } from './pages.ts'

/** Serves the pages, and `/api/mails` for scripts: GET lists the mails, DELETE removes them. */
export function requestListener(store: MailStore): RequestListener {
  return (request, response) => {
    const [path] = request.url!.split('?')
    if (path === '/api/mails') return respondToApi(store, request.method!, response)
    if (path === '/') return sendPage(response, 200, listPage(store.all()))
    const [, id, part] = /^\/mails\/(\d+)(\/html)?$/.exec(path) ?? []
    const mail = store.byId(Number(id))
    if (!mail) return sendJson(response, 404, { error: 'Page not found' })
    sendPage(response, 200, part ? mailFrame(mail) : mailPage(mail))
  }
}

function respondToApi(store: MailStore, method: string, response: ServerResponse) {
  if (method === 'DELETE') store.clear()
  sendJson(response, 200, store.all())
}
