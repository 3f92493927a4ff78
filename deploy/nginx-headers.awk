# Turns the _headers file written by `typebadge announce export` into nginx locations:
#   awk -f nginx-headers.awk public/_headers > /etc/nginx/typebadge-headers.conf
/^\// {
  if (path != "") print "}"
  path = $0
  print "location = " path " {"
  print "  try_files $uri $uri.html =404;"
  next
}
/^  [A-Za-z-]+: / {
  name = substr($1, 1, length($1) - 1)
  value = substr($0, index($0, ": ") + 2)
  if (name == "Content-Type") print "  types { }\n  default_type \"" value "\";"
  else print "  add_header " name " \"" value "\";"
}
END {
  if (path != "") print "}"
}
