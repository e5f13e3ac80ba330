// Shows what the panel sends. Scripts in it do not run: the page's policy allows this file only.
addEventListener('message', function (event) {
  if (event.source !== parent) return
  document.body.innerHTML = String(event.data)
})
