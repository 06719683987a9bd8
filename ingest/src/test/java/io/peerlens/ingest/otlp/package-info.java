@NullMarked
package io.peerlens.ingest.otlp;

import org.jspecify.annotations.NullMarked;
