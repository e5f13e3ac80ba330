// Shows what the panel sends. Scripts in it do not run: the page's policy allows this file only.
addEventListener('message', function (event) {
  if (event.source !== parent) return
  const { html, dark } = event.data
  const mail = new DOMParser().parseFromString(String(html), 'text/html')
  const styles = [...mail.querySelectorAll('head style')]
  document.documentElement.lang = mail.documentElement.lang
  document.documentElement.dir = mail.documentElement.dir
  // Pictures keep their colours.
  const inverted = document.createElement('style')
  inverted.textContent = dark
    ? 'html { background: #fff; filter: invert(1) hue-rotate(180deg) } img { filter: invert(1) hue-rotate(180deg) }'
    : ''
  document.head.replaceChildren(...styles, inverted)
  document.body.replaceWith(document.adoptNode(mail.body))
})

// A link would show another page in the place of the mail.
addEventListener('click', function (event) {
  if (event.target.closest('a, area')) event.preventDefault()
})
