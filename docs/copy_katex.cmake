# Copies what a page needs of KaTeX, with the fonts that every browser reads. In: from, to (folders).
cmake_minimum_required(VERSION 3.25)
file(GLOB fonts ${from}/fonts/*.woff2)
foreach(file IN ITEMS ${from}/katex.min.css ${from}/katex.min.js ${from}/contrib/auto-render.js)
  file(COPY ${file} DESTINATION ${to} FOLLOW_SYMLINK_CHAIN)
endforeach()
file(COPY ${fonts} DESTINATION ${to}/fonts FOLLOW_SYMLINK_CHAIN)
