//! `GET /pools`: what one can wait for.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use crate::state::AppState;
use crate::wire::TimeJson;

#[derive(Serialize)]
pub(super) struct PoolsJson {
    variants: Vec<&'static str>,
    times: Vec<PoolTimeJson>,
}

#[derive(Serialize)]
struct PoolTimeJson {
    time: String,
    #[serde(flatten)]
    control: TimeJson,
    speed: &'static str,
}

pub(super) async fn list(State(app): State<AppState>) -> Json<PoolsJson> {
    let times = app.pools.iter().map(|(name, control)| PoolTimeJson {
        time: name.clone(),
        control: (*control).into(),
        speed: control.speed().as_str(),
    });
    Json(PoolsJson {
        variants: app.variants.iter().map(|v| v.as_str()).collect(),
        times: times.collect(),
    })
}
