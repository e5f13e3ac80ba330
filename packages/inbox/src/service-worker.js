/**
 * Shows the push messages of Concierge. Serve this file from your own site, or import it into your
 * service worker: `importScripts('/concierge-service-worker.js')`.
 */
addEventListener('push', (event) => {
  const { title, body, icon, url } = event.data?.json() ?? {}
  if (!title) return
  const options = { body, icon: icon ?? undefined, data: { url } }
  event.waitUntil(registration.showNotification(title, options))
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url } = event.notification.data ?? {}
  event.waitUntil(showPage(url))
})

/** Goes back to a page of the site that is open, or opens the link of the message. */
async function showPage(url) {
  if (url) return clients.openWindow(url)
  const [page] = await clients.matchAll({ type: 'window' })
  return page ? page.focus() : clients.openWindow('/')
}
