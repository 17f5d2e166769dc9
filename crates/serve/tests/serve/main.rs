//! The server as its clients meet it: over TCP.

mod api;
mod fixture;
mod hostile;
mod live;
mod records;
mod site;
mod think;
