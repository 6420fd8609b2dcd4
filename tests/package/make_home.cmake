# make_home.cmake -DHOME= -DBUILD= -DPROJECT=: an empty home folder with the project outside in it.
file(REMOVE_RECURSE ${HOME})
file(MAKE_DIRECTORY ${HOME})
file(CREATE_LINK ${BUILD} ${HOME}/build SYMBOLIC)
file(COPY ${PROJECT} DESTINATION ${HOME})
