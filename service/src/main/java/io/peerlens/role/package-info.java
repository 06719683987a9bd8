/** What a process does: ingest, evaluate, notify, answer the API. */
@NullMarked
package io.peerlens.role;

import org.jspecify.annotations.NullMarked;
