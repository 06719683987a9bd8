@NullMarked
package io.peerlens.ingest.flow;

import org.jspecify.annotations.NullMarked;
