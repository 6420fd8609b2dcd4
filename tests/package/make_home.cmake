# make_home.cmake -DHOME= -DBUILD= -DPROJECTS=: an empty home folder with the projects outside in it.
file(REMOVE_RECURSE ${HOME})
file(MAKE_DIRECTORY ${HOME})
file(CREATE_LINK ${BUILD} ${HOME}/build SYMBOLIC)
file(COPY ${PROJECTS} DESTINATION ${HOME})
