// Before the first paint, and in a file because the policy of the page allows no script in it.
;(function () {
  var root = document.documentElement
  var theme = localStorage.getItem('concierge-theme') || 'system'
  var isDark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.classList.toggle('dark', isDark)
  var language = localStorage.getItem('concierge-language')
  root.lang = language || (navigator.language.startsWith('cs') ? 'cs' : 'en')

  // Who is signed in: every page waits for it, so it is asked for while the scripts load.
  if (localStorage.getItem('concierge-signed-in') === null) return
  window.conciergeSession = fetch('/api/panel/session', { headers: { 'x-concierge-panel': '1' } })
  window.conciergeSession.catch(function () {})
})()
