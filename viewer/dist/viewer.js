// Stands in for the viewer until it is built: shows the page's title.
document.getElementById("lockstep-view").append(document.title);
